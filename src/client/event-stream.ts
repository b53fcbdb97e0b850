import { HermError } from '../errors.ts'
import { type LinkedSignal, linkedSignal } from '../linked-signal.ts'
import { openGet } from './get.ts'
import type { Answer, Http } from './http.ts'
import { assertNotEncoded } from './not-encoded.ts'
import { pathPart } from './path-part.ts'
import { watchQuiet } from './quiet-watch.ts'
import { createFrameReader, type StreamFrame } from './stream-frames.ts'

export type StreamItem = { readonly kind: 'open' } | StreamFrames | StreamEnd

/** The frames that arrived together. One by one they would each be handed on through every part of the program. */
export interface StreamFrames {
  readonly kind: 'frames'
  readonly frames: readonly StreamFrame[]
}

/** The last item of a connection. */
export type StreamEnd =
  /** The service closed it; connect again. */
  | { readonly kind: 'end'; readonly reason: 'closed' }
  /** It broke; connect again. */
  | { readonly kind: 'end'; readonly reason: 'lost'; readonly error: HermError }
  /** Nothing came for `quietLimitMs`, not even a comment: ask for the session, then connect again. */
  | { readonly kind: 'end'; readonly reason: 'quiet' }
  /** 204: the service asks not to be connected to again. */
  | { readonly kind: 'end'; readonly reason: 'no-content' }

export interface EventStreamOptions {
  readonly http: Http
  readonly sessionId: string
  /** Where an earlier connection stopped. Left out of the request when it is no legal header value. */
  readonly lastEventId?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly quietLimitMs?: number | undefined
  /** Characters of one frame. */
  readonly maxFrameChars?: number | undefined
}

export interface EventStream extends AsyncIterableIterator<StreamItem, undefined> {
  return(): Promise<IteratorResult<StreamItem, undefined>>
}

/**
 * One connection to a session's live events, made when the first item is asked for: `open`, frames, one `end`.
 * Throws RequestError when it could not be opened (`passing` says whether to try again), `failed` for an answer that is no
 * event stream or a frame without end, and the signal's reason when it is aborted.
 * Leaving the iteration closes the connection at once, also while an item is awaited.
 */
export function openEventStream(options: EventStreamOptions): EventStream {
  const left = linkedSignal(options.signal)
  const items = readStream(options, left)
  return {
    next: () => items.next(),
    return: () => {
      left.abort(new Error('the stream was left'))
      return items.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

async function* readStream(options: EventStreamOptions, left: LinkedSignal): AsyncGenerator<StreamItem, undefined> {
  const { http, signal } = options
  try {
    const answer = await openSessionStream(http, { ...options, signal: left.signal })
    if (answer.status === 204) {
      answer.body.destroy()
      yield { kind: 'end', reason: 'no-content' }
      return
    }
    yield { kind: 'open' }
    yield* readFrames(options, answer)
  } catch (error) {
    signal?.throwIfAborted()
    if (left.signal.aborted) return
    throw error
  } finally {
    left.unlink()
  }
}

/** The answer with a session's stream, or a 204, its body unread. Throws as openEventStream does. */
export async function openSessionStream(
  http: Http,
  { sessionId, lastEventId, signal }: Omit<EventStreamOptions, 'http'>,
): Promise<Answer> {
  const answer = await openGet(http, {
    url: http.url(`/v1/sessions/${pathPart(sessionId)}/events/stream`),
    headers: { accept: 'text/event-stream', 'cache-control': 'no-cache', ...resumption(lastEventId) },
    signal,
    endless: true,
  })
  if (answer.status === 204) return answer
  assertEventStream(http, answer)
  assertNotEncoded(http, answer)
  return answer
}

async function* readFrames(options: EventStreamOptions, answer: Answer): AsyncGenerator<StreamFrames | StreamEnd> {
  const { http } = options
  const { body } = answer
  const quiet = new Error('the stream was quiet')
  const watch = watchQuiet({ body, clock: http.clock, limitMs: options.quietLimitMs ?? QUIET_LIMIT_MS, reason: quiet })
  const framesOf = createFrameReader(options.maxFrameChars)
  try {
    watch.waiting()
    for await (const chunk of body as AsyncIterable<Buffer>) {
      watch.received()
      const frames = framesOf(chunk)
      if (frames.length > 0) yield { kind: 'frames', frames }
      watch.waiting()
    }
    yield { kind: 'end', reason: 'closed' }
  } catch (cause) {
    if (cause instanceof HermError || answer.request.signal?.aborted) throw cause
    if (cause === quiet) yield { kind: 'end', reason: 'quiet' }
    else yield { kind: 'end', reason: 'lost', error: http.failure({ request: answer.request, cause, sent: true }) }
  } finally {
    watch.stop()
    body.destroy()
  }
}

function assertEventStream(http: Http, answer: Answer): void {
  const type = http.redact.text(answer.headers['content-type'] ?? '')
  if (/^text\/event-stream\s*(;|$)/i.test(type)) return
  answer.body.destroy()
  throw new HermError(
    'failed',
    `${answer.subject} was answered with ${answer.status} and ${type || 'no content type'}, not with an event stream`,
    { status: answer.status, hint: 'Check HERM_BASE_URL; a proxy or a login page may stand in between.' },
  )
}

/**
 * Printable ASCII only: other characters are refused by the HTTP library, or would arrive as something else. And no more
 * of it than any service takes: a request that is refused for its headers would be refused at every connection.
 */
function resumption(lastEventId: string | undefined): Record<string, string> {
  return lastEventId !== undefined && /^[\x20-\x7e]{1,1024}$/.test(lastEventId) ? { 'last-event-id': lastEventId } : {}
}

/** Assumed: the service sends a comment every 15 to 30 s, if it does at all. */
const QUIET_LIMIT_MS = 45_000
