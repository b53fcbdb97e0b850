import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export interface RecordedRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** Empty until it was read. */
  body: string
}

export interface ScriptedServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Every request, in the order of arrival. */
  readonly requests: RecordedRequest[]
  /** How many connections were made so far. */
  connections(): number
  /** Ends the kept connections that serve no request, as a service does after its keep-alive time. */
  closeIdle(): void
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>
  close(): Promise<void>
}

/** What the server does with one request. */
export interface Behaviour {
  /** False: the body is left unread. */
  readonly readsBody: boolean
  run(exchange: { request: RecordedRequest; response: ServerResponse }): void | Promise<void>
}

export type Script = readonly Behaviour[] | ((request: RecordedRequest) => Behaviour | Promise<Behaviour>)

/**
 * A real server on a free port of 127.0.0.1, closed when the test is finished. A list is played one behaviour per
 * request, the last one again and again; a function chooses by the request, whose body is read by then.
 */
export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const server = await startScriptedServer(script)
  onTestFinished(server.close)
  return server
}

/** The same, for a server that outlives one test: the caller closes it. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: RecordedRequest[] = []
  const arrivals = new Set<() => void>()
  let connections = 0

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    const request: RecordedRequest = { method, url, headers, body: '' }
    requests.push(request)
    const next = typeof script === 'function' ? undefined : (script[requests.length - 1] ?? script.at(-1))
    if (next?.readsBody !== false) request.body = await readAll(incoming)
    for (const notify of arrivals) notify()
    const behaviour = typeof script === 'function' ? await script(request) : next
    await (behaviour ?? status(500)).run({ request, response })
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy())
  })
  server.on('connection', () => {
    connections++
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    closeIdle: () => server.closeIdleConnections(),
    arrived(count) {
      return new Promise((resolve) => {
        const check = () => {
          if (requests.length < count) return
          arrivals.delete(check)
          resolve()
        }
        arrivals.add(check)
        check()
      })
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

/** A port of 127.0.0.1 on which nothing listens. */
export async function refusedPort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

export interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export function json(body: unknown, options: AnswerOptions = {}): Behaviour {
  return text(JSON.stringify(body), { ...options, headers: { 'content-type': 'application/json', ...options.headers } })
}

export function html(body: string, options: AnswerOptions = {}): Behaviour {
  return text(body, { ...options, headers: { 'content-type': 'text/html; charset=utf-8', ...options.headers } })
}

export function text(body: string, options: AnswerOptions = {}): Behaviour {
  return behaviour(({ response }) => {
    response.writeHead(options.status ?? 200, options.headers).end(body)
  })
}

/** An answer without a body. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return text('', { status: code, headers })
}

export function redirect(location: string | undefined, code = 302): Behaviour {
  return status(code, location === undefined ? {} : { location })
}

/** The head and a part of the body that Content-Length promised, then the connection is cut. */
export function truncated(body: string, options: AnswerOptions = {}): Behaviour {
  return behaviour(({ response }) => {
    response.writeHead(options.status ?? 200, { ...options.headers, 'content-length': Buffer.byteLength(body) + 100 })
    response.write(body, () => response.socket?.end())
  })
}

/** The head and a part of the body, and then nothing, with the connection left open. */
export function stalled(body: string, options: AnswerOptions = {}): Behaviour {
  return behaviour(({ response }) => {
    response.writeHead(options.status ?? 200, options.headers).write(body)
  })
}

/** Cuts the connection when the head of the request is there, its body unread. */
export const cutBeforeReading: Behaviour = { readsBody: false, run: ({ response }) => cut(response) }

/** Cuts the connection when the whole request is there. */
export const cutAfterReading: Behaviour = behaviour(({ response }) => cut(response))

/** Reads the request and never answers. */
export const neverAnswers: Behaviour = behaviour(() => {})

/** Bytes straight to the socket, for answers that are no HTTP; then the connection is closed. */
export function rawBytes(bytes: string): Behaviour {
  return behaviour(({ response }) => {
    response.socket?.end(bytes)
  })
}

export interface EventStreamScript extends AnswerOptions {
  /** Milliseconds between two chunks. Without it they are written one after the other, each its own write. */
  readonly pauseMs?: number
  /** What comes after the last chunk: the regular end, a cut, or nothing at all. */
  readonly finish?: 'end' | 'cut' | 'hold'
}

/** An event stream from prepared chunks, such as `['data: {}\n\n']` or `bytewise('data: {}\n\n')`. */
export function eventStream(chunks: readonly (string | Uint8Array)[], options: EventStreamScript = {}): Behaviour {
  return behaviour(async ({ response }) => {
    response.writeHead(options.status ?? 200, { 'content-type': 'text/event-stream', ...options.headers })
    response.flushHeaders()
    for (const chunk of chunks) {
      await new Promise((resolve) => response.write(chunk, resolve))
      if (options.pauseMs) await sleep(options.pauseMs)
    }
    if (options.finish === 'cut') cut(response)
    else if (options.finish !== 'hold') response.end()
  })
}

export interface LiveStream {
  /** For the script; one connection at a time. */
  readonly behaviour: Behaviour
  /** Resolves when a client has connected. */
  readonly opened: Promise<void>
  /** Resolves when the connection is closed, by whichever side. */
  readonly closed: Promise<void>
  send(chunk: string): void
  end(): void
  cut(): void
}

/** An event stream that the test writes to as it goes. */
export function liveStream(): LiveStream {
  let current: ServerResponse | undefined
  let open = () => {}
  let close = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  return {
    opened,
    closed,
    behaviour: behaviour(({ response }) => {
      current = response
      response.on('close', close)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      open()
    }),
    send: (chunk) => current?.write(chunk),
    end: () => current?.end(),
    cut: () => current && cut(current),
  }
}

/** One frame with an envelope in it. */
export function frame(envelope: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(envelope)}\n\n`
}

/** Each byte on its own, so that characters of several bytes are split. */
export function bytewise(content: string): Uint8Array[] {
  return [...Buffer.from(content)].map((byte) => Uint8Array.of(byte))
}

function behaviour(run: Behaviour['run']): Behaviour {
  return { readsBody: true, run }
}

/** With a reset, as a machine that goes away does. */
function cut(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
