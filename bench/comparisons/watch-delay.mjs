import { fileURLToPath } from 'node:url'
import { alternate } from '../alternate.mjs'
import { atMost } from '../bars.mjs'
import { median, quantile } from '../statistics.mjs'
import { count, milliseconds } from '../units.mjs'
import { watchToEnd } from './watch-rate.mjs'

const baseline = (name) => fileURLToPath(new URL(`../baselines/${name}`, import.meta.url))

/** How long an event is on its way through the program: sent by the service, read from a pipe. */
export const watchDelay = {
  name: 'watch-delay',
  title: 'watch --json, from the event to its line',
  rounds: { full: 3, quick: 1 },
  async compare(lab) {
    const perSecond = 1_000
    const events = perSecond * lab.size(10, 2)
    const server = await lab.server()
    const env = await lab.home({ url: server.url })
    const session = `ses_paced_${perSecond}_${events}`
    const measured = async (command) => {
      const { stdout } = await lab.run(command, { env, into: [process.execPath, baseline('read-delays.mjs')] })
      const delays = Float64Array.from(JSON.parse(stdout)).sort()
      if (delays.length !== events)
        throw new Error(`${command.join(' ')} printed ${delays.length} events, not ${events}`)
      return { half: quantile(delays, 0.5), most: quantile(delays, 0.99), last: quantile(delays, 1) }
    }
    const samples = await alternate(
      {
        'watch --json': () => measured(watchToEnd(lab, session)),
        'plain tail': () => measured([process.execPath, baseline('tail.mjs'), session]),
        'curl -N': () => measured(['curl', '-sSN', `${server.url}/v1/sessions/${session}/events/stream`]),
      },
      lab,
    )
    const over = (runs, field) => median(runs.map((run) => run[field]))
    return {
      bars: [atMost(10, { what: 'the 99th of 100', value: over(samples['watch --json'], 'most'), unit: 'ms' })],
      tables: [
        {
          head: ['', 'half within', '99 % within', 'all within'],
          rows: Object.entries(samples).map(([name, runs]) => [
            name,
            ...['half', 'most', 'last'].map((field) => milliseconds(over(runs, field))),
          ]),
        },
      ],
      notes: [
        `${count(events)} events, ${count(perSecond)} a second. What curl shows is the way itself, and the reader.`,
      ],
    }
  },
}
