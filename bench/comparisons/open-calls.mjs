import { alternate } from '../alternate.mjs'
import { medianOf } from '../statistics.mjs'
import { peakOf } from '../time-table.mjs'
import { count, mebibytes, milliseconds } from '../units.mjs'

const CALLS = [10, 100, 1_000]

/** `pending` in a session where this many calls are owed a final. */
export const openCalls = {
  name: 'open-calls',
  title: 'pending, with many open calls',
  rounds: { full: 5, quick: 1 },
  async compare(lab) {
    const server = await lab.server()
    const known = await lab.home({ url: server.url })
    const pending = async (calls, env) => {
      const run = await lab.run(lab.tool('pending', `ses_open_${calls}_0`, '--json'), { env, report: true })
      const printed = run.stdout.split('\n').length - 1
      if (printed !== calls) throw new Error(`${printed} calls were printed, not ${calls}`)
      return run
    }
    const samples = await alternate(
      Object.fromEntries(
        CALLS.flatMap((calls) => [
          [`first ${calls}`, async () => pending(calls, await lab.home({ url: server.url }))],
          // The round that does not count makes them known.
          [`again ${calls}`, () => pending(calls, known)],
        ]),
      ),
      lab,
    )
    const rows = CALLS.map((calls) => [
      count(calls),
      milliseconds(medianOf(samples[`again ${calls}`], 'wallMs')),
      mebibytes(peakOf(samples[`again ${calls}`])),
      milliseconds(medianOf(samples[`first ${calls}`], 'wallMs')),
    ])
    return {
      bars: [],
      tables: [
        { title: 'Growth with the number of open calls', head: ['calls', 'time', 'memory', 'the first time'], rows },
      ],
      notes: ['The first time, the journal learns of each call, with an fsync.'],
    }
  },
}
