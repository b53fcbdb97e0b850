import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { type Dispatcher, request as undiciRequest } from 'undici'
import { type Clock, deadline } from '../clock.ts'
import type { HttpLimits } from './limits.ts'
import { watchRequest } from './watch-request.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** Of the base URL's origin. */
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal | undefined
  /** The answer goes on for ever: once it has begun, no limit of time applies to it. */
  readonly endless?: boolean
}

export interface Exchange {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Must be read to its end or destroyed. */
  readonly body: Readable
}

/**
 * Sends one request once, and gives its answer as soon as the head is there. Throws what undici throws, or the reason of
 * the abort, at once in every phase (undici itself does not look at the signal while it connects).
 * `onSent` is called before the first byte leaves; a request that was given up by then is not sent.
 */
export async function exchange(options: {
  request: HttpRequest
  headers: Record<string, string>
  dispatcher: Dispatcher
  limits: HttpLimits
  clock: Clock
  onSent: () => void
}): Promise<Exchange> {
  const { request, limits } = options
  const attempt = deadline({
    clock: options.clock,
    ms: limits.attemptMs,
    reason: () => noAnswer(limits.attemptMs),
    parent: request.signal,
  })
  let started = false
  const onStart = () => {
    attempt.signal.throwIfAborted()
    if (started) throw new Error('the HTTP library was about to send a request again by itself')
    started = true
    options.onSent()
  }
  try {
    const response = await unlessAborted(attempt.signal, () =>
      undiciRequest(request.url, {
        method: request.method,
        headers: options.headers,
        body: request.body ?? null,
        dispatcher: options.dispatcher.compose(watchRequest({ onStart })),
        signal: attempt.signal,
        headersTimeout: limits.headersMs,
        bodyTimeout: request.endless ? 0 : limits.bodyMs,
      }),
    )
    // A body that breaks while nobody reads it must not end the program; a reader still gets the error.
    response.body.on('error', () => {})
    response.body.once('close', attempt.dispose)
    if (request.endless) attempt.lift()
    return { status: response.statusCode, headers: firstOfEach(response.headers), body: response.body }
  } catch (error) {
    attempt.dispose()
    throw error
  }
}

/** The HTTP library gives a list for a header that came more than once. */
function firstOfEach(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]]))
}

function noAnswer(ms: number): Error {
  return Object.assign(new Error(`no complete answer within ${ms / 1000} s`), { code: 'ETIMEDOUT' })
}

async function unlessAborted<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([start(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
