/** Reads `250ms`, `2s`, `1.5m` or `1h` as milliseconds; undefined when it is none of these. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? []
  return unit === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
