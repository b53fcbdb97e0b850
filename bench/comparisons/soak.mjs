import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { atMost } from '../bars.mjs'
import { count } from '../units.mjs'

const streamSoak = fileURLToPath(new URL('../../test/soak/stream-soak.mjs', import.meta.url))

/** A million events over ten thousand connections: `npm run soak`. */
export const soak = {
  name: 'soak',
  title: 'watch, a million events and many reconnects',
  rounds: { full: 1, quick: 1 },
  async compare(lab) {
    const events = lab.size(1_000_000, 50_000)
    const child = lab.start([process.execPath, streamSoak, '--events', String(events)])
    const [printed, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    // It ends with 1 for a growth that is too much, and for events that are wrong; only the first says how much.
    const growth = /second tenth to last: (-?[\d.]+) %/.exec(printed)?.[1]
    if (growth === undefined) throw new Error(`the soak ended with ${code}:\n${said}`)
    const tenths = [...printed.matchAll(/^ *(\d+) +([\d.]+) +([\d.]+) +\d+/gm)]
    const [, connections, seconds] = /events, (\d+) connections, (\d+) s/.exec(printed)
    return {
      bars: [atMost(5, { what: 'heap, second tenth to last', value: Number(growth), digits: 1, unit: '%' })],
      tables: [
        {
          title: 'Memory in use, by tenths of the way',
          head: ['tenth', 'heap', 'resident'],
          rows: tenths.map(([, tenth, heap, resident]) => [tenth, `${heap} MiB`, `${resident} MiB`]),
        },
      ],
      notes: [`${count(events)} events over ${count(connections)} connections, in ${seconds} s.`],
    }
  },
}
