import { decodeAccepted } from '../protocol/accepted-body.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import { decodeEventPage } from '../protocol/list-body.ts'
import { decodeSession, decodeSessionPage, type RawSession, type SessionPage } from '../protocol/session.ts'
import { type EventStream, type EventStreamOptions, openEventStream } from './event-stream.ts'
import { getJson } from './get.ts'
import { createHttp, type HttpOptions } from './http.ts'
import { pathPart } from './path-part.ts'
import { type PostOutcome, post } from './post-outcome.ts'
import { type Probe, probe } from './probe.ts'
import { probeStream, type StreamProbe } from './probe-stream.ts'

export interface Cancellable {
  readonly signal?: AbortSignal | undefined
}

export interface SessionFilter {
  readonly agentId?: string | undefined
  readonly userId?: string | undefined
  readonly status?: string | undefined
  /** 1 to 100; the service takes 20 when it is left out. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface NewSession {
  readonly userId?: string | undefined
  readonly title?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The endpoints of the service. Reads throw as `getJson` does, writes give a PostOutcome and do not throw; but all of them
 * throw `usage` for an id that is none.
 */
export interface HermClient {
  /** The history, page by page, in the service's order. */
  listEvents(sessionId: string, options?: Cancellable): AsyncIterable<RawEvent[]>
  /** The accepted or updated events; none when the service's answer does not hold them. */
  postEvents(
    sessionId: string,
    events: readonly Readonly<Record<string, unknown>>[],
    options?: Cancellable,
  ): Promise<PostOutcome<{ readonly events: RawEvent[] }>>
  /** One connection to the live events; see openEventStream. */
  stream(sessionId: string, options?: Omit<EventStreamOptions, 'http' | 'sessionId'>): EventStream
  getSession(sessionId: string, options?: Cancellable): Promise<RawSession>
  /** One page. */
  listSessions(options?: SessionFilter & Cancellable): Promise<SessionPage>
  createSession(agentId: string, body: NewSession, options?: Cancellable): Promise<PostOutcome<RawSession>>
  /** The service's time in milliseconds since the epoch, as far as its answers have told it. */
  serviceNow(): number
  /** How far its clock is ahead of this machine's, in milliseconds; undefined before an answer that tells its time. */
  skewMs(): number | undefined
  /** See probe; for `herm-tools doctor`. */
  probe(options: { signal: AbortSignal }): Probe
  probeStream(options: Parameters<typeof probeStream>[1]): Promise<StreamProbe>
  /** Ends every connection at once. */
  close(): Promise<void>
}

export function createHermClient(options: HttpOptions): HermClient {
  const http = createHttp(options)
  const session = (id: string) => `/v1/sessions/${pathPart(id)}`

  return {
    async *listEvents(sessionId, { signal } = {}) {
      const seen = new Set<string>()
      let cursor: string | undefined
      do {
        const url = http.url(`${session(sessionId)}/events`, { limit: PAGE_LIMIT, cursor })
        const page = await getJson(http, { url, signal, decode: decodeEventPage })
        yield page.events
        cursor = page.nextCursor
        // A cursor that comes round again would walk for ever.
        if (cursor !== undefined && seen.has(cursor)) return
        if (cursor !== undefined) seen.add(cursor)
      } while (cursor !== undefined)
    },
    postEvents: async (sessionId, events, { signal } = {}) =>
      post(http, {
        url: http.url(`${session(sessionId)}/events`),
        json: { events },
        signal,
        decode: (text) => {
          const accepted = decodeAccepted(text)
          return accepted && { events: accepted }
        },
      }),
    stream: (sessionId, options = {}) => openEventStream({ ...options, http, sessionId }),
    getSession: async (sessionId, { signal } = {}) =>
      getJson(http, { url: http.url(session(sessionId)), signal, decode: decodeSession }),
    listSessions({ signal, limit, ...filter } = {}) {
      const url = http.url('/v1/sessions', { ...filter, limit: limit?.toString() })
      return getJson(http, { url, signal, decode: decodeSessionPage })
    },
    createSession: async (agentId, body, { signal } = {}) =>
      post(http, {
        url: http.url(`/v1/agents/${pathPart(agentId)}/sessions`),
        json: body,
        signal,
        decode: decodeSession,
      }),
    serviceNow: http.serviceNow,
    skewMs: http.skewMs,
    probe: (options) => probe(http, options),
    probeStream: (options) => probeStream(http, options),
    close: http.close,
  }
}

/** The most that the documented lists give; assumed for the history too. */
const PAGE_LIMIT = '100'
