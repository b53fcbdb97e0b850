import { HermError } from '../errors.ts'
import { networkCause } from './network-cause.ts'
import type { Redactor } from './redact.ts'
import { RequestError } from './request-error.ts'

/**
 * The error of a request that no complete answer came to: kind `unreachable`, naming the cause's code. Whether that is
 * harmless is for the caller to say: it is for a GET, and for anything that was not `sent`.
 * When the signal ended the request, the error is of the kind of the signal's reason, and has the reason as its cause.
 */
export function connectionError(options: {
  /** The request in words, such as `GET /v1/sessions at api.herm.run`. */
  subject: string
  cause: unknown
  sent: boolean
  redact: Redactor
  /** The variable that names the proxy in use. */
  proxyVariable: string | undefined
  signal?: AbortSignal | undefined
}): RequestError {
  const { subject, sent, signal } = options
  if (signal?.aborted) {
    const kind = signal.reason instanceof HermError ? signal.reason.kind : 'interrupted'
    return new RequestError(kind, `${subject} was stopped before its answer came`, {
      passing: false,
      sent,
      cause: signal.reason,
    })
  }
  const cause = options.redact.error(options.cause)
  const { code, words, passing, advice } = networkCause(cause, options)
  return new RequestError('unreachable', `${subject} failed: ${words}${code ? ` (${code})` : ''}`, {
    hint: advice,
    passing,
    sent,
    cause,
  })
}
