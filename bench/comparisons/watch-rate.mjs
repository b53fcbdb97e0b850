import { fileURLToPath } from 'node:url'
import { alternate } from '../alternate.mjs'
import { atMost } from '../bars.mjs'
import { medianOf } from '../statistics.mjs'
import { peakOf, ratio, timeTable } from '../time-table.mjs'
import { count } from '../units.mjs'

const tail = fileURLToPath(new URL('../baselines/tail.mjs', import.meta.url))

const TAIL = 'plain tail'

/** A stream that comes as fast as it is taken, through a pipe to a reader that counts. */
export const watchRate = {
  name: 'watch-rate',
  title: 'watch --json, as fast as it goes',
  rounds: { full: 7, quick: 1 },
  async compare(lab) {
    const events = lab.size(200_000, 50_000)
    const server = await lab.server()
    const env = await lab.home({ url: server.url })
    const session = `ses_flood_${events}`
    const counted = async (command, { report, lines = events } = {}) => {
      const run = await lab.run(command, { env, report, into: ['wc', '-lc'] })
      const [printed, bytes] = run.stdout.trim().split(/\s+/).map(Number)
      if (printed !== lines) throw new Error(`${command.join(' ')} printed ${printed} lines, not ${lines}`)
      return { ...run, bytes }
    }
    const samples = await alternate(
      {
        'watch --json': () => counted(watchToEnd(lab, session), { report: true }),
        [TAIL]: () => counted([process.execPath, tail, session], { report: true }),
        // Raw frames: a line each for name, id and data, and an empty one.
        'curl -N': () =>
          counted(
            ['curl', '-sSN', `${server.url}/v1/sessions/${session}/events/stream`, '-H', 'accept: text/event-stream'],
            {
              lines: events * 4 + WELCOME_LINES,
            },
          ),
      },
      lab,
    )
    const [ours, plain] = [samples['watch --json'], samples[TAIL]]
    if (ours[0].bytes !== plain[0].bytes) throw new Error('watch printed other bytes than the service sent')
    const rates = Object.entries(samples).map(([name, runs]) => [
      name,
      count((events * 1_000) / medianOf(runs, 'wallMs')),
    ])
    return {
      bars: [
        atMost(1.1, { what: `${count(events)} events, of the ${TAIL}`, value: ratio(samples, 'watch --json', TAIL) }),
        atMost(140, { what: 'peak memory', value: peakOf(ours) / 2 ** 20, digits: 0, unit: 'MiB' }),
      ],
      tables: [timeTable(samples, { base: TAIL }), { title: 'Events a second', head: ['', 'median'], rows: rates }],
      notes: [
        `${count(events)} events of ${(ours[0].bytes / events).toFixed(0)} bytes, the start of the process included.`,
      ],
    }
  },
}

/** The comment with which each stream begins, and an empty line. */
const WELCOME_LINES = 2

/** @returns {string[]} */
export function watchToEnd(lab, session) {
  return lab.tool('watch', session, '--json', '--since', 'start', '--until', 'type=bench.end')
}
