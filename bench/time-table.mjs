import { mean, medianOf } from './statistics.mjs'
import { mebibytes, milliseconds, times } from './units.mjs'

/**
 * What runs of several candidates took, a row for each.
 *
 * @param {Record<string, import('./run.mjs').Run[]>} samples
 * @param {{ base?: string, title?: string }} [options] `base` is the candidate that the others are compared with.
 * @returns {import('./report.mjs').Table}
 */
export function timeTable(samples, { base, title } = {}) {
  const isReported = Object.values(samples).some(([first]) => first.peakBytes !== undefined)
  const head = ['', 'median', 'least', 'CPU', ...(base ? [`of ${base}`] : []), ...(isReported ? ['memory'] : [])]
  const rows = Object.entries(samples).map(([name, runs]) => [
    name,
    milliseconds(medianOf(runs, 'wallMs')),
    milliseconds(Math.min(...runs.map(({ wallMs }) => wallMs))),
    milliseconds(runs[0].cpuMs === undefined ? undefined : mean(runs.map(({ cpuMs }) => cpuMs))),
    ...(base ? [times(ratio(samples, name, base))] : []),
    ...(isReported ? [runs[0].peakBytes === undefined ? '–' : mebibytes(peakOf(runs))] : []),
  ])
  return { title, head, rows }
}

/** Of two candidates, how the medians of their times compare. */
export function ratio(samples, name, base) {
  return medianOf(samples[name], 'wallMs') / medianOf(samples[base], 'wallMs')
}

/** The most that any run held. */
export function peakOf(runs) {
  return Math.max(...runs.map(({ peakBytes }) => peakBytes))
}
