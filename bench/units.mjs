/** Numbers as the report shows them. */

export function milliseconds(ms) {
  return ms === undefined ? '–' : `${ms.toFixed(1)} ms`
}

export function mebibytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}

export function count(number) {
  return Math.round(number).toLocaleString('en')
}

export function times(ratio) {
  return `× ${ratio.toFixed(2)}`
}
