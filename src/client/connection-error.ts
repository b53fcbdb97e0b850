import { HermError } from '../errors.ts'
import type { Redactor } from './redact.ts'
import { RequestError } from './request-error.ts'
import { passingStatuses } from './status-error.ts'

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
  const code = causeCode(options.cause)
  const words = (code && passingCauses[code]) ?? (cause.message || cause.name)
  return new RequestError('unreachable', `${subject} failed: ${words}${code ? ` (${code})` : ''}`, {
    hint: hintFor(code),
    passing: (code !== undefined && code in passingCauses) || isPassingProxyAnswer(cause.message),
    sent,
    cause,
  })
}

/** Causes that may be gone at the next attempt. Any other, such as a certificate that is not trusted, stays. */
const passingCauses: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'no answer in time',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'the network cannot be reached',
  ENETDOWN: 'the network is down',
  HPE_INVALID_EOF_STATE: 'the answer was cut off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped coming',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut off',
  UND_ERR_SOCKET: 'the connection was cut',
}

/** The first code in the chain of causes; node puts a failed connection to several addresses into an AggregateError. */
function causeCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return causeCode(error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined))
}

/** A proxy that refuses a tunnel is known by undici's words only. */
function isPassingProxyAnswer(message: string): boolean {
  const status = /^Proxy response \((\d{3})\)/.exec(message)?.[1]
  return status !== undefined && passingStatuses.has(Number(status))
}

function hintFor(code: string | undefined): string {
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return 'If your network uses its own certificate authority, name its file in NODE_EXTRA_CA_CERTS.'
  }
  return 'Check the network, HERM_BASE_URL, and the proxy variables HTTPS_PROXY and NO_PROXY.'
}
