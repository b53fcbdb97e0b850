export function newCounts() {
  return {
    finals: 0,
    runs: 0,
    kills: 0,
    stateLost: 0,
    codes: {},
    duplicates: 0,
    lost: 0,
    falseSuccesses: 0,
    falseFailures: 0,
    stuck: 0,
  }
}

/** Prints what happened; true when nothing did that must not. */
export function printTable(counts, { stats, seed, seconds }) {
  const faults = Object.entries(stats.faults).sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = [
    ['seed', seed],
    ['seconds', seconds.toFixed(0)],
    ['finals', counts.finals],
    ['runs of the program', counts.runs],
    ['kills', counts.kills],
    ['state directories lost', counts.stateLost],
    ['faults', faults.reduce((sum, [, times]) => sum + times, 0)],
    ...faults.map(([name, times]) => [`  ${name}`, times]),
    ...Object.entries(counts.codes).map(([code, times]) => [`finals that ended with ${code}`, times]),
    ['duplicates', counts.duplicates],
    ['lost', counts.lost],
    ['false successes', counts.falseSuccesses],
    ['false failures', counts.falseFailures],
    ['stuck', counts.stuck],
  ]
  for (const [name, value] of rows) console.log(`${name.padEnd(32)} ${String(value).padStart(8)}`)
  return counts.duplicates + counts.lost + counts.falseSuccesses + counts.falseFailures + counts.stuck === 0
}
