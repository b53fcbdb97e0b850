import { HermError } from '../errors.ts'
import type { HttpRequest } from './exchange.ts'
import type { Answer, Http } from './http.ts'
import { readAnswer } from './read-answer.ts'
import { MAX_REDIRECTS, redirectTarget } from './redirect.ts'
import { readRefusal } from './refusal.ts'
import { withRetries } from './retry.ts'

export type GetRequest = Omit<HttpRequest, 'method' | 'body'>

/**
 * Gets a JSON resource and decodes its text, retrying what may pass.
 * Throws RequestError (`auth`, `not_found`, `rejected`, `failed`, `unreachable`), `failed` for an answer that is not to be
 * understood, and the signal's reason when it is aborted.
 */
export async function getJson<T>(
  http: Http,
  request: { url: URL; signal?: AbortSignal | undefined; decode: (text: string) => T },
): Promise<T> {
  const { url, signal, decode } = request
  return withRetries({
    async work() {
      const answer = await openGet(http, { url, signal, headers: { accept: 'application/json' } })
      return orAbort(signal, readAnswer(http, answer, decode))
    },
    clock: http.clock,
    random: http.random,
    signal,
    onPause: (error, ms) => http.debug(`retrying in ${Math.round(ms)} ms: ${error.message}`),
  })
}

/**
 * Opens one GET: redirects within the service followed, any answer but a 2xx refused. One attempt, body unread.
 * Throws RequestError, `failed` for a redirect that is not followed, and the signal's reason when it is aborted.
 */
export async function openGet(http: Http, request: GetRequest): Promise<Answer> {
  let url = request.url
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await orAbort(request.signal, http.send({ ...request, method: 'GET', url }))
    if (answer.status >= 200 && answer.status < 300) return answer
    const error = await readRefusal(http, answer)
    request.signal?.throwIfAborted()
    const target = redirectTarget({ ...answer, from: url, redact: http.redact })
    if (target === undefined) throw error
    url = target
  }
  const subject = http.redact.text(`GET ${request.url.pathname} at ${request.url.host}`)
  throw new HermError('failed', `${subject} was redirected more than ${MAX_REDIRECTS} times`)
}

/** An error that an abort brought about is the abort's reason. */
async function orAbort<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
