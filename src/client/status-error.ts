import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorKind } from '../errors.ts'
import { decodeErrorBody } from '../protocol/error-body.ts'
import { retryAfterMs } from './backoff.ts'
import { proxyLoginAdvice } from './proxy.ts'
import { RequestError } from './request-error.ts'

/** Answers that say "not now" rather than "no". */
export const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** The error of an answer that is no success, with the service's own code and words. `body` must hold no key. */
export function statusError(options: {
  /** Whether a key was sent. */
  hasKey: boolean
  /** The request in words, such as `GET /v1/sessions at api.herm.run`. */
  subject: string
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** Milliseconds since the epoch, for a Retry-After date without a `Date` beside it. */
  now: number
}): RequestError {
  const { code, message } = decodeErrorBody(options.body)
  const kind = kindOf(options.status)
  const waitMs = retryAfterMs(options.headers, options.now)
  const said = [code, message].filter((part) => part !== undefined).join(': ')
  return new RequestError(
    kind,
    `${options.subject} was answered with ${options.status}${said === '' ? '' : ` ${said}`}`,
    {
      status: options.status,
      serviceCode: code,
      hint: options.status === 429 ? waitHint(waitMs) : hintFor(kind, options),
      passing: passingStatuses.has(options.status),
      sent: true,
      retryAfterMs: waitMs,
    },
  )
}

function kindOf(status: number): ErrorKind {
  if (status === 401 || status === 403) return 'auth'
  if (status === 404) return 'not_found'
  // Only a proxy says so, and it has let nothing through.
  if (status === 407) return 'unreachable'
  return status >= 300 && status < 500 ? 'rejected' : 'failed'
}

function hintFor(kind: ErrorKind, { status, hasKey }: { status: number; hasKey: boolean }): string | undefined {
  if (status < 400) return movedHint
  return kind === 'auth' && !hasKey ? noKeyHint : hints[kind]
}

function waitHint(ms: number | undefined): string {
  const wait = ms === undefined ? 'Wait a little' : `Wait ${Math.ceil(ms / 1000)} s`
  return `${wait}, and run the same command again.`
}

/** Only a redirect of a GET within the service is followed, and that is no error. */
const movedHint = 'If the service has moved, set its address with HERM_BASE_URL.'

/** A service on this machine is asked without one. */
const noKeyHint =
  'No key was sent, and this service wants one: set PRISM_API_KEY, or store it with `herm-tools auth login`.'

const hints: Partial<Record<ErrorKind, string>> = {
  auth: 'Run `herm-tools auth status` to see which key is in force and where it came from.',
  // A tunnel that is refused ends in an error of its own: what gets this far is plain http.
  unreachable: proxyLoginAdvice('HTTP_PROXY'),
  not_found: 'Check the id; `herm-tools sessions list` shows the sessions that this key can see.',
}
