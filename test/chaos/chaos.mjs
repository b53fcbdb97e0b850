// Drives the built program in many processes against an emulator full of faults, kills it at random instants, runs the
// same commands again, and counts what the service really took. Ends with a table whose last five lines must be zero.
//
//   npm run chaos -- --finals 500 --seed 7
//
// The seed chooses what is done to whom; what the machine makes of the timing is its own.
import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { playCall } from './call-story.mjs'
import { startEmulator } from './emulator.mjs'
import { faults } from './faults.mjs'
import { endPrograms } from './program.mjs'
import { seededRandom } from './random.mjs'
import { newCounts, printTable } from './report.mjs'
import { CALLS_PER_SESSION, callIdsOf, scenario } from './scenario.mjs'

const { values } = parseArgs({
  options: {
    finals: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '8' },
    program: { type: 'string', default: fileURLToPath(new URL('../../bin/herm-tools.js', import.meta.url)) },
    verbose: { type: 'boolean', default: false },
  },
})
const finals = Number(values.finals)
const seed = Number(values.seed)
if (!(Number(values.workers) >= CALLS_PER_SESSION)) {
  console.error(`--workers takes a number from ${CALLS_PER_SESSION}: so many calls of a session wait for one another.`)
  process.exit(2)
}
const folder = await mkdtemp(join(tmpdir(), 'herm-tools-chaos-'))
const scenarioFile = join(folder, 'scenario.yaml')
await writeFile(scenarioFile, scenario(finals))

const emulator = await startEmulator({ program: values.program, scenarioFile, home: folder })
const stopAll = () => {
  emulator.kill()
  endPrograms()
  rmSync(folder, { recursive: true, force: true })
}
process.on('exit', stopAll)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

// Asked before the faults begin, since ids are the emulator's to choose.
const calls = await callIdsOf(emulator.url)
await emulator.setFaults(faults, seed)

const startedAt = Date.now()
const counts = newCounts()
const log = []
const waiting = calls.map((call, index) => ({ ...call, random: seededRandom(seed * 100_003 + index) }))
await Promise.all(Array.from({ length: Number(values.workers) }, work))

async function work() {
  for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
    await playCall({ ...call, folder, emulator, program: values.program, counts, log, verbose: values.verbose })
  }
}

const stats = await emulator.stats()
counts.finals = calls.length
for (const { toolUseId } of calls) {
  const times = stats.finals[toolUseId] ?? 0
  if (times > 1) {
    counts.duplicates += times - 1
    console.error(log.filter((run) => run.toolUseId === toolUseId))
  }
  if (times === 0) counts.lost++
}
const isClean = printTable(counts, { stats, seed, seconds: (Date.now() - startedAt) / 1000 })
process.exit(isClean ? 0 : 1)
