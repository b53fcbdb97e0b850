/** Milliseconds in the form that a duration is typed in: `10m`, `1h30m`, `1s500ms`, `0s`. */
export function durationText(ms: number): string {
  let left = ms
  const parts = UNITS.map(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? '' : `${count}${unit}`
  })
  return parts.join('') || '0s'
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const
