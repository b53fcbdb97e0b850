import { complete } from './comparisons/complete.mjs'
import { emulator } from './comparisons/emulator.mjs'
import { journal } from './comparisons/journal.mjs'
import { longHistory } from './comparisons/long-history.mjs'
import { manySessions } from './comparisons/many-sessions.mjs'
import { openCalls } from './comparisons/open-calls.mjs'
import { packageSize } from './comparisons/package-size.mjs'
import { soak } from './comparisons/soak.mjs'
import { startUp } from './comparisons/start-up.mjs'
import { watchDelay } from './comparisons/watch-delay.mjs'
import { watchRate } from './comparisons/watch-rate.mjs'

/**
 * @typedef {object} Finding
 * @property {import('./bars.mjs').Bar[]} bars
 * @property {import('./report.mjs').Table[]} tables
 * @property {string[]} [notes] Sentences that the numbers need.
 *
 * @typedef {object} Comparison
 * @property {string} name As in `--only`.
 * @property {string} title
 * @property {{ full: number, quick: number }} rounds
 * @property {(lab: import('./lab.mjs').Lab) => Promise<Finding>} compare Throws when a result is wrong.
 */

/** In the order in which they run. @type {Comparison[]} */
export const comparisons = [
  startUp,
  complete,
  watchRate,
  watchDelay,
  longHistory,
  openCalls,
  manySessions,
  journal,
  emulator,
  packageSize,
  soak,
]
