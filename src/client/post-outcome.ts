import { HermError } from '../errors.ts'
import type { HttpRequest } from './exchange.ts'
import type { Answer, Http } from './http.ts'
import { readAnswer } from './read-answer.ts'
import { readRefusal } from './refusal.ts'
import { RequestError } from './request-error.ts'

/** How a POST ended, once and for all: it is sent at most once, and its redirects are not followed. */
export type PostOutcome<T> = Accepted<T> | NotAccepted

export type Accepted<T> = { readonly kind: 'accepted'; readonly status: number } & T

export type NotAccepted =
  | {
      /** Known not to have been accepted: a complete 3xx or 4xx answer, or nothing was sent. */
      readonly kind: 'rejected'
      readonly error: HermError
      /** How long the service asked to be left alone. */
      readonly retryAfterMs: number | undefined
    }
  | {
      /** All else: a 5xx, a cut connection, a limit of time, an abort under way, an answer that cannot be read. */
      readonly kind: 'unknown'
      /** Of kind `unknown`. */
      readonly error: HermError
    }

/**
 * Posts JSON. `decode` reads the text of a 2xx and gives undefined, or throws, when it is not to be understood.
 * Never throws for what the network or the service does, nor for an abort.
 */
export async function post<T extends object>(
  http: Http,
  request: {
    url: URL
    json: unknown
    signal?: AbortSignal | undefined
    decode: (text: string) => T | undefined
  },
): Promise<PostOutcome<T>> {
  const sending: HttpRequest = {
    method: 'POST',
    url: request.url,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(request.json),
    signal: request.signal,
  }
  let answer: Answer
  try {
    answer = await http.send(sending)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return error.sent ? unknown(error) : { kind: 'rejected', error, retryAfterMs: undefined }
  }
  if (answer.status >= 200 && answer.status < 300) return readAccepted(http, answer, request.decode)
  const error = await readRefusal(http, answer)
  if (answer.status >= 500) return unknown(error)
  return { kind: 'rejected', error, retryAfterMs: error.retryAfterMs }
}

async function readAccepted<T extends object>(
  http: Http,
  answer: Answer,
  decode: (text: string) => T | undefined,
): Promise<PostOutcome<T>> {
  try {
    const decoded = await readAnswer(http, answer, decode)
    if (decoded !== undefined) return { kind: 'accepted', status: answer.status, ...decoded }
    const message = `${answer.subject} was answered with ${answer.status} and nothing that can be read`
    return unknown(new HermError('failed', message, { status: answer.status }))
  } catch (error) {
    return unknown(
      error instanceof HermError ? error : http.failure({ request: answer.request, cause: error, sent: true }),
    )
  }
}

function unknown(error: HermError): NotAccepted {
  return {
    kind: 'unknown',
    error: new HermError('unknown', `${error.message}; whether it was accepted is not known`, {
      hint: 'Look whether it is there (`herm-tools events`, `herm-tools sessions list`) before it is sent again.',
      serviceCode: error.serviceCode,
      status: error.status,
      cause: error.cause ?? error,
    }),
  }
}
