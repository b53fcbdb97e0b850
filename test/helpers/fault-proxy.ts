import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Behaviour, type RecordedRequest, type ScriptedServer, scriptedServer } from './scripted-server.ts'

export interface FaultProxy extends ScriptedServer {
  /** The POSTs that came so far, accepted or not. */
  posts(): RecordedRequest[]
  /** What happens to the POSTs from now on, one behaviour each; those after the last one pass. */
  onPosts(...behaviours: Behaviour[]): void
  /** Chooses what happens to a GET; undefined lets it pass. Replaces an earlier choice. */
  onGets(choose: (request: RecordedRequest) => Behaviour | undefined): void
  /** Lets the request through, and gives the answer back. */
  readonly pass: Behaviour
  /** Lets the request through, so that it is accepted, keeps the answer, and does something else in its place. */
  acceptedThen(behaviour: Behaviour | ((answer: string) => Behaviour)): Behaviour
}

/** Stands in front of a service, and does to its requests what networks do. */
export async function faultProxy(target: string): Promise<FaultProxy> {
  let postBehaviours: Behaviour[] = []
  let chooseForGet: (request: RecordedRequest) => Behaviour | undefined = () => undefined
  const pass: Behaviour = { readsBody: true, run: ({ request, response }) => relay(target, request, response) }
  const server = await scriptedServer(
    (request) => (request.method === 'POST' ? postBehaviours.shift() : chooseForGet(request)) ?? pass,
  )
  return {
    ...server,
    posts: () => server.requests.filter(({ method }) => method === 'POST'),
    onPosts(...behaviours) {
      postBehaviours = behaviours
    },
    onGets(choose) {
      chooseForGet = choose
    },
    pass,
    acceptedThen: (behaviour) => ({
      readsBody: true,
      async run(exchange) {
        const answer = await textOf(await forward(target, exchange.request))
        await (typeof behaviour === 'function' ? behaviour(answer) : behaviour).run(exchange)
      },
    }),
  }
}

interface Held extends Behaviour {
  /** Resolves when the request has come. */
  readonly reached: Promise<void>
  /** Lets what was held back go on. */
  release(): void
}

/** Holds a request until the test lets it go on to `behaviour`. */
export function held(behaviour: Behaviour): Held {
  let reach = () => {}
  let release = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    readsBody: true,
    reached,
    release,
    async run(exchange) {
      reach()
      await released
      await behaviour.run(exchange)
    },
  }
}

async function relay(target: string, request: RecordedRequest, response: ServerResponse): Promise<void> {
  const answer = await forward(target, request, response)
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  response.flushHeaders()
  answer.on('error', () => response.destroy())
  answer.pipe(response)
}

/** With a response, the request ends when its client goes away, as a stream's does. */
function forward(target: string, request: RecordedRequest, response?: ServerResponse): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, url, headers, body } = request
    const onward = httpRequest(target + url, {
      method,
      headers: { ...headers, host: new URL(target).host },
      agent: false,
    })
    onward.on('response', resolve).on('error', reject).end(body)
    response?.on('close', () => onward.destroy())
  })
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
