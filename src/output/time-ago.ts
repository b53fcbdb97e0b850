/**
 * How long ago a time was, such as `3 min ago`; undefined for no time and for one that makes no sense. `iso` is ISO 8601,
 * `now` the service's time in milliseconds since the epoch.
 */
export function timeAgo(iso: string | null | undefined, now: number): string | undefined {
  const at = Date.parse(iso ?? '')
  if (Number.isNaN(at)) return undefined
  const ms = now - at
  // Clocks differ by some seconds, and nobody counts them.
  if (Math.abs(ms) < MINUTE_MS) return 'just now'
  const [unit, length] = UNITS.find(([, least]) => Math.abs(ms) >= least) ?? ['min', MINUTE_MS]
  const count = Math.floor(Math.abs(ms) / length)
  const amount = `${count} ${unit === 'day' && count !== 1 ? 'days' : unit}`
  return ms < 0 ? `in ${amount}` : `${amount} ago`
}

const MINUTE_MS = 60_000
const UNITS = [
  ['day', 24 * 60 * MINUTE_MS],
  ['h', 60 * MINUTE_MS],
  ['min', MINUTE_MS],
] as const
