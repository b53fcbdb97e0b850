import { setTimeout as sleep } from 'node:timers/promises'
import { atMost } from '../bars.mjs'
import { endChild } from '../children.mjs'
import { costNow } from '../process-cost.mjs'
import { median } from '../statistics.mjs'
import { count, mebibytes } from '../units.mjs'

const SESSIONS = [10, 100, 1_000]
const PER_SECOND = 100
/** Answers are held back for so long, so that requests that are made at once are seen at once. */
const HOLD_MS = 20
/** For a thousand sessions to be followed, on any machine. */
const CONNECT_LIMIT_MS = 180_000

/** One `watch` of many sessions, in which a hundred events a second happen in all. */
export const manySessions = {
  name: 'many-sessions',
  title: 'watch, many sessions at once',
  rounds: { full: 3, quick: 1 },
  async compare(lab) {
    const seconds = lab.size(10, 3)
    const samples = SESSIONS.map(() => [])
    for (let round = 0; round < lab.rounds; round++) {
      for (const [index, sessions] of SESSIONS.entries())
        samples[index].push(await watchMany(lab, { sessions, seconds }))
    }
    const over = (index, field) => median(samples[index].map((sample) => sample[field]))
    const last = SESSIONS.length - 1
    const perSession = (over(last, 'residentBytes') - over(0, 'residentBytes')) / (SESSIONS[last] - SESSIONS[0])
    return {
      bars: [
        atMost(1, { what: `cores, ${count(SESSIONS[last])} sessions`, value: over(last, 'cores') }),
        atMost(400, { what: 'memory of a session', value: perSession / 1_024, digits: 0, unit: 'KiB' }),
        atMost(32, {
          what: 'requests at once',
          value: Math.max(...samples[last].map(({ atOnce }) => atOnce)),
          digits: 0,
        }),
      ],
      tables: [
        {
          title: 'Growth with the number of sessions',
          head: ['sessions', 'all followed after', 'cores', 'memory', 'requests at once'],
          rows: SESSIONS.map((sessions, index) => [
            count(sessions),
            `${(over(index, 'followedMs') / 1_000).toFixed(1)} s`,
            over(index, 'cores').toFixed(2),
            mebibytes(over(index, 'residentBytes')),
            count(Math.max(...samples[index].map(({ atOnce }) => atOnce))),
          ]),
        },
      ],
      notes: [
        `${PER_SECOND} events a second over all sessions, for ${seconds} s; each answer of the service held back for ${HOLD_MS} ms.`,
      ],
    }
  },
}

async function watchMany(lab, { sessions, seconds }) {
  const server = await lab.server({ holdMs: HOLD_MS })
  const ids = Array.from({ length: sessions }, (_, index) => `ses_idle_0_${index}`)
  const startedAt = performance.now()
  const child = lab.start(lab.tool('watch', ...ids, '--json', '--since', 'now'), {
    env: await lab.home({ url: server.url }),
    // It says that it was terminated.
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let lines = 0
  child.stdout.on('data', (chunk) => {
    for (const byte of chunk) if (byte === 10) lines++
  })

  await until(lab, async () => (await server.ask('counts')).histories >= sessions, child)
  const followedMs = performance.now() - startedAt
  // Each history is read once more after some seconds.
  await until(lab, async () => (await server.ask('counts')).histories >= 2 * sessions, child)

  const events = PER_SECOND * seconds
  const before = costNow(child)
  const pacedFrom = performance.now()
  await server.ask('pace', { perSecond: PER_SECOND, events })
  const pacedMs = performance.now() - pacedFrom
  const after = costNow(child)
  await until(lab, () => lines >= events, child)
  if (lines !== events) throw new Error(`${lines} events were printed, not ${events}`)

  const { mostAtOnce: atOnce } = await server.ask('counts')
  await endChild(child)
  await endChild(server.child)
  return { followedMs, cores: (after.cpuMs - before.cpuMs) / pacedMs, residentBytes: after.residentBytes, atOnce }
}

async function until(lab, isSo, child) {
  const limit = AbortSignal.any([lab.signal, AbortSignal.timeout(CONNECT_LIMIT_MS)])
  while (!(await isSo())) {
    if (child.exitCode !== null) throw new Error(`watch ended with ${child.exitCode}`)
    await sleep(50, undefined, { signal: limit })
  }
}
