import type { IncomingHttpHeaders } from 'node:http'

/**
 * Milliseconds to wait before attempt `attempt + 1`: doubling up to a cap, the upper half of it random, so that clients
 * which failed together do not come back together. `floorMs` (the service's Retry-After) is waited in any case.
 */
export function pauseMs(options: { attempt: number; random: () => number; floorMs?: number | undefined }): number {
  const ceiling = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (options.attempt - 1))
  return (options.floorMs ?? 0) + ceiling * (0.5 + options.random() / 2)
}

/** Long enough for a dropped connection to be a passing one. */
const FIRST_PAUSE_MS = 500

/** A service that comes back is noticed within this time. */
const MAX_PAUSE_MS = 30_000

/**
 * Milliseconds that an answer's Retry-After asks for, undefined without a readable one. A date counts from the answer's
 * own `Date`, so that a clock that is wrong here does not matter; without one from `now`, milliseconds since the epoch.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d+$/.test(value)) return withinReason(Number(value) * 1000)
  const at = httpDateMs(value)
  return at === undefined ? undefined : withinReason(at - (httpDateMs(headers.date) ?? now))
}

/** An HTTP date in milliseconds since the epoch; undefined when it is none. */
export function httpDateMs(value: string | undefined): number | undefined {
  const ms = value !== undefined && /^[A-Z][a-z]{2,8}[ ,]/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

function withinReason(ms: number): number {
  return Math.min(Math.max(ms, 0), RETRY_AFTER_CEILING_MS)
}

/** A service that asks for more is asked again after this: it may be a wrong unit, and nobody waits a day unseen. */
const RETRY_AFTER_CEILING_MS = 15 * 60_000
