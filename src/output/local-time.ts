/** The local time of day, `14:03:12`, of a moment: ISO 8601, or milliseconds since the epoch. Dashes for one that is none. */
export function localTime(moment: string | number | undefined): string {
  const at = new Date(moment ?? Number.NaN)
  if (Number.isNaN(at.getTime())) return '--:--:--'
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':')
}

/** A length of time as on a stopwatch, `4:38` or `1:04:38`. Milliseconds; what is below zero counts as zero. */
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = twoDigits(seconds % 60)
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
