const UNITS_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A longer wait is a slip of the pen. */
const LONGEST_MS = 365 * UNITS_MS.d

/** Milliseconds of `500ms`, `30s`, `10m`, `1h30m`, `2d`; a bare number counts seconds. Undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (/^\d+(\.\d+)?$/.test(trimmed)) return inRange(Number(trimmed) * UNITS_MS.s)
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(trimmed)) return undefined
  const parts = trimmed.matchAll(/([\d.]+)(ms|s|m|h|d)/g)
  return inRange(
    [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS], 0),
  )
}

function inRange(ms: number): number | undefined {
  return ms <= LONGEST_MS ? Math.round(ms) : undefined
}
