import { fileURLToPath } from 'node:url'
import { alternate } from '../alternate.mjs'
import { atMost } from '../bars.mjs'
import { ratio, timeTable } from '../time-table.mjs'

const baseline = (name) => fileURLToPath(new URL(`../baselines/${name}`, import.meta.url))

const NODE = 'node -e 0'
const FETCH = 'fetch script'

/** Delivering one final to an idle session with a short history. */
export const complete = {
  name: 'complete',
  title: 'A final for an idle session',
  rounds: { full: 30, quick: 5 },
  async compare(lab) {
    const server = await lab.server()
    const env = await lab.home({ url: server.url })
    const text = 'Rendered: boat.mp4'
    let calls = 0
    const fresh = () => [`ses_idle_0_${++calls}`, `custom_toolu_${calls}`]
    const samples = await alternate(
      {
        [NODE]: () => lab.run([process.execPath, '-e', '0'], { env }),
        complete: () => lab.run(completeCommand(lab, ...fresh(), text), { env }),
        [FETCH]: () => lab.run([process.execPath, baseline('complete-fetch.mjs'), ...fresh(), text], { env }),
        'curl and jq': () => lab.run([baseline('complete-curl.sh'), ...fresh(), text], { env }),
      },
      lab,
    )
    const { posts, postsOfOne } = await server.ask('counts')
    if (posts !== calls || postsOfOne !== 1) throw new Error(`${calls} finals were to be sent once each, not ${posts}`)
    return {
      bars: [
        atMost(0.85, { what: `complete, of the ${FETCH}`, value: ratio(samples, 'complete', FETCH) }),
        atMost(2, { what: `complete, of ${NODE}`, value: ratio(samples, 'complete', NODE) }),
      ],
      tables: [timeTable(samples, { base: NODE })],
      notes: [
        'All but the first look and send the result. `complete` and the fetch script also subscribe; only `complete` locks and keeps a journal, with an fsync for each change.',
      ],
    }
  },
}

/** @returns {string[]} */
export function completeCommand(lab, sessionId, toolUseId, text) {
  return lab.tool('complete', '--session', sessionId, '--tool-use-id', toolUseId, '--text', text)
}
