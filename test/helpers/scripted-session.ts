import type { RawEvent } from '../../src/protocol/envelope.ts'
import {
  type Behaviour,
  eventStream,
  json,
  type RecordedRequest,
  type ScriptedServer,
  scriptedServer,
  text,
} from './scripted-server.ts'

export interface SessionScript {
  /** One for each connection to the stream, the last again and again. A quiet stream when left out. */
  readonly streams?: readonly Behaviour[]
  /** What a reading of the history gives: events for one page, or an answer. */
  readonly history?: HistoryScript
  /** The answer to `GET /v1/sessions/{id}`, or the status in it. */
  readonly session?: string | Behaviour
  readonly post?: Behaviour
}

export type HistoryScript = readonly RawEvent[] | ((request: RecordedRequest) => readonly RawEvent[] | Behaviour)

export interface ScriptedSession extends ScriptedServer {
  readonly sessionId: string
  /** The requests of one kind, in the order of arrival. */
  asked(kind: 'stream' | 'history' | 'session' | 'post'): RecordedRequest[]
  /** How many answers are under way: streams that are open, and answers that were not given. */
  underWay(): number
}

export const quietStream: Behaviour = eventStream([], { finish: 'hold' })

/** A service with one session that behaves as the script says. */
export async function scriptedSession(script: SessionScript = {}): Promise<ScriptedSession> {
  const { streams = [quietStream], history = [], session = 'running' } = script
  let connections = 0
  let underWay = 0
  const server = await scriptedServer((request) => counted(behaviourFor(request)))
  return {
    ...server,
    sessionId: SESSION_ID,
    asked: (kind) => server.requests.filter((one) => kindOf(one) === kind),
    underWay: () => underWay,
  }

  function behaviourFor(request: RecordedRequest): Behaviour {
    switch (kindOf(request)) {
      case 'stream':
        return streams[connections++] ?? (streams.at(-1) as Behaviour)
      case 'history': {
        const listed = typeof history === 'function' ? history(request) : history
        return 'run' in listed ? listed : page(listed)
      }
      case 'post':
        return script.post ?? json({}, { status: 500 })
      case 'session':
        return typeof session === 'string' ? json({ id: SESSION_ID, status: session }) : session
    }
  }

  function counted({ readsBody, run }: Behaviour): Behaviour {
    return {
      readsBody,
      run(exchange) {
        underWay++
        exchange.response.on('close', () => underWay--)
        return run(exchange)
      },
    }
  }
}

/** One page with the events' own texts. */
export function page(events: readonly RawEvent[], nextCursor: string | null = null): Behaviour {
  const data = events.map(({ raw }) => raw).join(',')
  return text(`{"data":[${data}],"nextCursor":${JSON.stringify(nextCursor)}}`, {
    headers: { 'content-type': 'application/json' },
  })
}

/** A frame with the event's own text, and its id as `id:`. */
export function frameOf({ envelope, raw }: RawEvent): string {
  return `event: ${envelope.type}\n${envelope.id === undefined ? '' : `id: ${envelope.id}\n`}data: ${raw}\n\n`
}

const SESSION_ID = 'session_1'

function kindOf({ method, url }: RecordedRequest): 'stream' | 'history' | 'session' | 'post' {
  if (method === 'POST') return 'post'
  const path = url.split('?')[0] ?? ''
  if (path.endsWith('/events/stream')) return 'stream'
  return path.endsWith('/events') ? 'history' : 'session'
}
