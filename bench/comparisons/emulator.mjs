import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { alternate } from '../alternate.mjs'
import { atLeast } from '../bars.mjs'
import { endChild } from '../children.mjs'
import { median } from '../statistics.mjs'
import { count } from '../units.mjs'

const postLoad = fileURLToPath(new URL('../baselines/post-load.mjs', import.meta.url))

const STREAMS = 200

/** Events that are posted to the emulator as fast as it takes them, with 200 streams that all get theirs. */
export const emulator = {
  name: 'emulator',
  title: 'The emulator under load',
  rounds: { full: 5, quick: 1 },
  async compare(lab) {
    const posts = lab.size(40_000, 10_000)
    const fanned = lab.size(1_000, 200)
    const samples = await alternate(
      {
        emulator: () => withEmulator(lab, (url, sessions) => load(lab, { url, sessions, posts })),
        'bare service': () => withServer(lab, (url, sessions) => load(lab, { url, sessions, posts })),
        'emulator, all on one session': () =>
          withEmulator(lab, (url, [one]) => load(lab, { url, sessions: Array(STREAMS).fill(one), posts: fanned })),
      },
      lab,
    )
    const over = (name, field) => median(samples[name].map((sample) => sample[field]))
    return {
      bars: [
        atLeast(5_000, {
          what: `accepted posts a second, ${STREAMS} streams`,
          value: over('emulator', 'postsPerSecond'),
        }),
      ],
      tables: [
        {
          head: ['', 'posts a second', 'frames a second'],
          rows: Object.keys(samples).map((name) => [
            name,
            count(over(name, 'postsPerSecond')),
            count(over(name, 'framesPerSecond')),
          ]),
        },
      ],
      notes: [
        `${STREAMS} sessions with a stream each, then ${STREAMS} streams of one session, where each post is ${STREAMS} frames. The bare service does nothing but the same HTTP: what load and network cost.`,
      ],
    }
  },
}

async function load(lab, task) {
  const run = await lab.run([process.execPath, postLoad, JSON.stringify(task)], { env: await lab.home() })
  const { postedMs, isComplete, receivedInTime, receivedMs } = JSON.parse(run.stdout)
  if (!isComplete) throw new Error('the streams did not give all events that were accepted')
  return { postsPerSecond: (task.posts * 1_000) / postedMs, framesPerSecond: (receivedInTime * 1_000) / receivedMs }
}

async function withServer(lab, act) {
  const server = await lab.server()
  const result = await act(
    server.url,
    Array.from({ length: STREAMS }, (_, index) => `ses_idle_0_${index}`),
  )
  await endChild(server.child)
  return result
}

/** With as many sessions, in each of which a turn waits: it takes `user.steer` for five minutes. */
async function withEmulator(lab, act) {
  const child = lab.start(lab.tool('emulator', '--port', '0', '--json', '--quiet'), {
    env: await lab.home(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'close')])
  if (typeof line !== 'string') throw new Error('the emulator did not start')
  const { url } = JSON.parse(line)
  const sessions = []
  for (let index = 0; index < STREAMS; index++) {
    const { id } = await post(`${url}/v1/agents/video-agent/sessions`, {})
    const message = { type: 'user.message', content: [{ type: 'text', text: 'A boat at sea, please.' }] }
    await post(`${url}/v1/sessions/${id}/events`, { events: [message] })
    sessions.push(id)
  }
  const result = await act(url, sessions)
  await endChild(child)
  return result
}

async function post(url, body) {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`)
  return answer.json()
}
