import { describe, expect, it, onTestFinished, test } from 'vitest'
import { type SessionsNote, type WatchSessionsOptions, watchSessions } from '../../src/session/watch-sessions.ts'
import { testClient } from '../client/test-http.ts'
import { type Behaviour, cutAfterReading, html, json, liveStream, scriptedServer } from '../helpers/scripted-server.ts'
import { page, quietStream } from '../helpers/scripted-session.ts'
import { refusal, said } from '../helpers/session-events.ts'
import { testClock } from '../helpers/test-clock.ts'
import { eventually, inWords, pause } from './following.ts'

const busy = json({ error: { code: 'rate_limited', message: 'slow down' } }, { status: 429 })
const pageOfPortal = html('<html>Log in</html>')

/** An agent with the sessions `ses_good`, which has one event, and `ses_bad`, which is answered as `bad` says, if at all. */
async function start(options: Partial<WatchSessionsOptions> = {}) {
  const script: { bad?: Behaviour | undefined; list?: Behaviour | undefined } = {}
  const stream = liveStream()
  const server = await scriptedServer(({ url }) => {
    const list = json({ data: [{ id: 'ses_good' }, { id: 'ses_bad' }], nextCursor: null })
    if (url.startsWith('/v1/sessions?')) return script.list ?? list
    if (url.includes('ses_bad') && script.bad !== undefined) return script.bad
    if (url.includes('/stream')) return url.includes('ses_bad') ? stream.behaviour : quietStream
    return url.includes('/events') ? page([said(1)]) : json({ id: 'ses_good', status: 'running' })
  })
  const clock = testClock()
  const stop = new AbortController()
  const story: string[] = []
  const notes: SessionsNote[] = []
  const watching = (async () => {
    const updates = watchSessions({
      client: testClient(server.url, { clock }),
      sessions: { agentId: 'agent_1' },
      clock,
      random: () => 1,
      selection: { from: 'start' },
      types: [],
      signal: stop.signal,
      notify: (note) => void notes.push(note),
      ...options,
    })
    for await (const batch of updates)
      for (const update of batch.updates) story.push(`${batch.sessionId}: ${inWords(update)}`)
  })()
  let end: unknown
  watching.catch((error) => {
    end = error
  })
  onTestFinished(async () => {
    stop.abort(new Error('the test is over'))
    await watching.catch(() => undefined)
  })
  return {
    script,
    stream,
    server,
    clock,
    story,
    stop,
    end: () => end,
    told: (kind: SessionsNote['kind'], id?: string) =>
      notes.filter(
        (note) => note.kind === kind && (id === undefined || ('sessionId' in note && note.sessionId === id)),
      ),
    eventsOf: (id: string) => story.filter((line) => line.startsWith(`${id}: `) && line.includes('agent.message')),
    tried: () => server.requests.filter(({ url }) => url.includes('ses_bad/events/stream')).length,
    /** Moves time on in steps until the condition holds. */
    async passUntil(condition: () => boolean, { stepMs = 500, limitMs = 20 * 60_000 } = {}): Promise<void> {
      const endsAt = clock.elapsed() + limitMs
      while (!condition()) {
        if (clock.elapsed() >= endsAt) throw new Error(`nothing of the kind: ${JSON.stringify({ notes, end })}`)
        await clock.advance(stepMs)
        await pause(2)
      }
    },
  }
}

describe('a session of an agent that the service does not give for a while', () => {
  it.each<[string, Behaviour]>([
    ['429', busy],
    ['503', refusal(503, 'busy')],
    ['cut', cutAfterReading],
  ])('is tried again until it does, and the others go on: %s', async (_what, answer) => {
    const watch = await start()
    watch.script.bad = answer
    await watch.passUntil(() => watch.told('delayed', 'ses_bad').length > 0)
    await watch.passUntil(() => watch.eventsOf('ses_good').length === 1)
    watch.script.bad = undefined
    await watch.passUntil(() => watch.eventsOf('ses_bad').length === 1)
    expect(watch.end()).toBeUndefined()
    expect(watch.told('lost')).toEqual([])
  })

  it('is left alone for as long as it asks', async () => {
    const watch = await start()
    const { script, told, tried, clock } = watch
    script.bad = json({}, { status: 429, headers: { 'retry-after': '120' } })
    await watch.passUntil(() => told('delayed', 'ses_bad').length > 0)
    const before = tried()
    const since = clock.elapsed()
    await watch.passUntil(() => tried() > before)
    expect(clock.elapsed() - since).toBeGreaterThanOrEqual(119_000)
  })

  it('goes on from its place, and repeats nothing', async () => {
    const watch = await start()
    const { script, stream, story, eventsOf, told } = watch
    await watch.passUntil(() => story.includes('ses_bad: caught_up'))
    script.bad = busy
    stream.cut()
    await watch.passUntil(() => told('delayed', 'ses_bad').length > 0, { stepMs: 5_000 })
    script.bad = undefined
    const before = story.length
    await watch.passUntil(() => story.lastIndexOf('ses_bad: caught_up') >= before)
    expect(eventsOf('ses_bad')).toHaveLength(1)
  })

  it('ends the watch when the list of sessions cannot be read either: then the service is away', async () => {
    const watch = await start()
    const { script, stream, story } = watch
    await watch.passUntil(() => story.includes('ses_bad: caught_up'))
    script.bad = script.list = refusal(503, 'away')
    stream.cut()
    await watch.passUntil(() => watch.end() !== undefined, { stepMs: 5_000, limitMs: 40 * 60_000 })
    expect(watch.end()).toMatchObject({ status: 503 })
    expect(watch.clock.elapsed()).toBeGreaterThan(14 * 60_000)
  })
})

test('a session of an agent that cannot be understood is left out, and the others go on', async () => {
  const watch = await start()
  watch.script.bad = pageOfPortal
  await watch.passUntil(() => watch.told('lost', 'ses_bad').length > 0)
  await watch.passUntil(() => watch.eventsOf('ses_good').length === 1)
  expect(watch.end()).toBeUndefined()
})

test('more sessions than can be watched at once are wrong usage, before anything is asked', async () => {
  const watch = await start({ sessions: Array.from({ length: 1_001 }, (_, index) => `ses_${index}`) })
  await eventually(() => watch.end() !== undefined)
  expect(watch.end()).toMatchObject({ kind: 'usage', message: expect.stringContaining('1001 sessions are too many') })
  expect(watch.server.requests).toEqual([])
})
