/**
 * How fast and how small the program is, beside the plainest things that do the same: `npm run bench`.
 *
 *   npm run bench -- --only start-up complete --rounds 5
 *   npm run bench -- --quick
 *
 * What is compared runs side by side in one go, by turns within each round. The report goes to stdout; a whole run also
 * writes it to bench/results.md. A missed bar fails nothing: times depend on the machine. A wrong result, such as an event
 * that is missing, fails the run. Everything stays on the loopback and in a temporary folder; that and every process are
 * gone at the end, also after Ctrl-C. Needs Linux, bash, curl and jq.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createChildren } from './children.mjs'
import { comparisons } from './comparisons.mjs'
import { createLab } from './lab.mjs'
import { describeMachine } from './machine.mjs'
import { readOptions } from './options.mjs'
import { report } from './report.mjs'
import { stagePackage } from './stage-package.mjs'

const { chosen, quick, rounds } = readOptions(process.argv.slice(2), comparisons)
const isWhole = chosen.length === comparisons.length && !quick && rounds === undefined

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort(signal))

// Before anything runs, so that the load is that of others.
const machine = describeMachine()
const folder = await mkdtemp(join(tmpdir(), 'herm-tools-bench-'))
const children = createChildren(stop.signal)
try {
  const { stage, program } = await stagePackage({ children, folder })
  const findings = []
  for (const comparison of chosen) {
    const lab = createLab({ folder, children, signal: stop.signal, stage, program, quick, rounds, comparison })
    findings.push(await found(comparison, lab))
  }
  const text = report({ machine, findings, quick })
  process.stdout.write(text)
  if (isWhole) await writeFile(fileURLToPath(new URL('results.md', import.meta.url)), text)
} catch (error) {
  const signal = stop.signal.reason
  process.exitCode = signal === undefined ? 1 : 128 + constants.signals[signal]
  console.error(signal === undefined ? error : 'The benchmark was stopped.')
} finally {
  await children.end()
  await rm(folder, { recursive: true, force: true })
}

/** What one comparison found, with a note on stderr of how long it took. */
async function found({ name, title, compare }, lab) {
  const startedAt = performance.now()
  process.stderr.write(`${name} … `)
  try {
    return { title, ...(await compare(lab)) }
  } finally {
    process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
  }
}
