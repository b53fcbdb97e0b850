// Follows a session through a million events and ten thousand cut connections with `watch --json`, checks that each event
// is printed once and in order, and compares the memory that is in use in the second tenth of the way with the last.
// The sources are bundled with a clock that does not wait between connections; all else is as it is shipped.
//
//   npm run soak -- --events 1000000 --cut-every 100 --calls 0
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { startSession } from './session-server.mjs'

const SAMPLES_PER_TENTH = 5
const ALLOWED_GROWTH = 0.05

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    'cut-every': { type: 'string', default: '100' },
    calls: { type: 'string', default: '0' },
    'text-chars': { type: 'string', default: '60' },
  },
})
const events = Number(values.events)
const folder = await mkdtemp(join(tmpdir(), 'herm-tools-soak-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const session = await startSession({
  events,
  cutEvery: Number(values['cut-every']),
  calls: Number(values.calls),
  textChars: Number(values['text-chars']),
})
const startedAt = performance.now()
const child = fork(await bundledProgram(), ['watch', 's', '--json', '--since', 'start'], {
  execArgv: ['--expose-gc'],
  env: {
    PATH: process.env.PATH,
    HOME: folder,
    HERM_TOOLS_CONFIG_DIR: join(folder, 'config'),
    HERM_TOOLS_STATE_DIR: join(folder, 'state'),
    HERM_BASE_URL: session.url,
    PRISM_API_KEY: 'prism_sk_soak',
  },
  stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
})
process.on('exit', () => child.kill('SIGKILL'))

const tenths = Array.from({ length: 10 }, () => [])
await readAll(child.stdout)
child.kill('SIGTERM')
await once(child, 'close')
session.close()
report()

/** Reads what is printed, to the last event, with a look at the memory every now and then. */
async function readAll(stdout) {
  const every = Math.ceil(events / (10 * SAMPLES_PER_TENTH))
  let last = 0
  for await (const line of createInterface({ input: stdout })) {
    const { sequence } = JSON.parse(line)
    // The program's own records, and frames that are not part of the order.
    if (sequence === undefined) continue
    if (sequence !== last + 1) throw new Error(`event ${sequence} came after ${last}`)
    last = sequence
    if (sequence % every === 0) {
      child.send('sample')
      const [sample] = await once(child, 'message')
      tenths[Math.min(9, Math.floor(((sequence - 1) / events) * 10))].push(sample)
    }
    if (sequence === events) return
  }
  throw new Error(`the program ended after event ${last}`)
}

function report() {
  const mean = (tenth, field) => tenth.reduce((sum, sample) => sum + sample[field], 0) / tenth.length
  const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(2).padStart(9)
  console.log('tenth  heap MiB   RSS MiB  listeners of the program’s signal')
  for (const [index, tenth] of tenths.entries()) {
    const row = [mebibytes(mean(tenth, 'heapUsed')), mebibytes(mean(tenth, 'rss')), mean(tenth, 'listeners')]
    console.log(String(index + 1).padStart(5), ...row)
  }
  const growth = mean(tenths[9], 'heapUsed') / mean(tenths[1], 'heapUsed') - 1
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  console.log(`${events} events, ${session.connections()} connections, ${seconds} s`)
  console.log(`heap in use, second tenth to last: ${(growth * 100).toFixed(1)} %`)
  if (growth > ALLOWED_GROWTH) process.exitCode = 1
}

async function bundledProgram() {
  const input = fileURLToPath(new URL('../fixtures/soak/hurried-program.ts', import.meta.url))
  const bundle = await rolldown({ input, platform: 'node' })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'program.mjs', chunkFileNames: '[name]-[hash].mjs' })
  await bundle.close()
  return join(folder, 'program.mjs')
}
