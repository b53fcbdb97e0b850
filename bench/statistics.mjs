/** @param {number[]} values Not empty. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The value that the share `q` of all does not exceed. @param {ArrayLike<number>} sorted */
export function quantile(sorted, q) {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * q) - 1)]
}

/** The median of one field over samples. */
export function medianOf(samples, field) {
  return median(samples.map((sample) => sample[field]))
}
