import { fileURLToPath } from 'node:url'
import { alternate } from '../alternate.mjs'
import { atMost } from '../bars.mjs'
import { medianOf } from '../statistics.mjs'
import { peakOf } from '../time-table.mjs'
import { count, mebibytes, milliseconds } from '../units.mjs'
import { completeCommand } from './complete.mjs'

const readPages = fileURLToPath(new URL('../baselines/read-pages.mjs', import.meta.url))

const LENGTHS = [1_000, 10_000, 100_000]

/** A final for a call at the end of a history of this many events. */
export const longHistory = {
  name: 'long-history',
  title: 'A final after a long history',
  rounds: { full: 5, quick: 1 },
  async compare(lab) {
    const server = await lab.server()
    const env = await lab.home({ url: server.url })
    let calls = 0
    const completeAfter = (length) => {
      calls++
      const command = completeCommand(lab, `ses_idle_${length}_${calls}`, `custom_toolu_${calls}`, 'Rendered.')
      return lab.run(command, { env, report: true })
    }
    const readAll = async (length) => {
      const run = await lab.run([process.execPath, readPages, `ses_idle_${length}_0`], { env, report: true })
      const pages = length / 100 + 1
      if (Number(run.stdout) !== pages) throw new Error(`${run.stdout.trim()} pages were read, not ${pages}`)
      return run
    }
    const samples = await alternate(
      Object.fromEntries(
        LENGTHS.flatMap((length) => [
          [`complete ${length}`, () => completeAfter(length)],
          [`pages ${length}`, () => readAll(length)],
        ]),
      ),
      lab,
    )
    const { posts, postsOfOne } = await server.ask('counts')
    if (posts !== calls || postsOfOne !== 1) throw new Error(`${calls} finals were to be sent once each, not ${posts}`)

    const wall = (what, length) => medianOf(samples[`${what} ${length}`], 'wallMs')
    const perEvent = (from, to) => ((wall('complete', to) - wall('complete', from)) * 1_000) / (to - from)
    const peak = (length) => peakOf(samples[`complete ${length}`])
    const [short, middle, long] = LENGTHS
    return {
      bars: [
        atMost(50, {
          what: `an event more, ${count(short)} to ${count(long)}`,
          value: perEvent(short, long),
          digits: 1,
          unit: 'µs',
        }),
        atMost(1.25, {
          what: `linear: an event beyond ${count(middle)}, of one before`,
          value: perEvent(middle, long) / perEvent(short, middle),
        }),
        atMost(60, {
          what: `memory, ${count(long)} events beside ${count(short)}`,
          value: (peak(long) - peak(short)) / 2 ** 20,
          digits: 0,
          unit: 'MiB',
        }),
      ],
      tables: [
        {
          title: 'Growth with the length of the history',
          head: ['events', 'complete', 'memory', 'pages only', 'memory'],
          rows: LENGTHS.map((length) => [
            count(length),
            milliseconds(wall('complete', length)),
            mebibytes(peak(length)),
            milliseconds(wall('pages', length)),
            mebibytes(peakOf(samples[`pages ${length}`])),
          ]),
        },
      ],
      notes: [
        'In pages of 100. "Pages only" reads them with undici and does nothing else: what service and network cost.',
      ],
    }
  },
}
