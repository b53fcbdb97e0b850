import type { IncomingHttpHeaders } from 'node:http'
import { HermError } from '../errors.ts'
import type { Redactor } from './redact.ts'

/** More hops than this are a loop. */
export const MAX_REDIRECTS = 5

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Where the answer to a GET of `from` sends it; undefined when the answer is no redirect. Throws `failed` when it names
 * no address, or one of another origin: the request carries the key, which is for the configured service alone.
 */
export function redirectTarget(options: {
  from: URL
  status: number
  headers: IncomingHttpHeaders
  subject: string
  redact: Redactor
}): URL | undefined {
  const { from, status, headers, subject, redact } = options
  if (!redirectStatuses.has(status)) return undefined
  if (!headers.location || !URL.canParse(headers.location, from.href)) {
    throw new HermError('failed', `${subject} was answered with ${status}, a redirect that names no address`, {
      hint,
      status,
    })
  }
  const target = new URL(headers.location, from.href)
  if (target.origin === from.origin) return target
  throw new HermError(
    'failed',
    `${subject} was redirected to ${redact.text(target.host) || 'another address'} (${target.protocol.slice(0, -1)}), which is not followed: the key is sent to the base URL's origin alone`,
    { hint, status },
  )
}

const hint = 'If the service has moved, set its address with HERM_BASE_URL.'
