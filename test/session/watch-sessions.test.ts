import { describe, expect, it, onTestFinished, test } from 'vitest'
import type { RawEvent } from '../../src/protocol/envelope.ts'
import { type SessionsNote, type WatchSessionsOptions, watchSessions } from '../../src/session/watch-sessions.ts'
import { testClient } from '../client/test-http.ts'
import { type Behaviour, cutAfterReading, html, json, liveStream, scriptedServer } from '../helpers/scripted-server.ts'
import { page, quietStream } from '../helpers/scripted-session.ts'
import { refusal, said } from '../helpers/session-events.ts'
import { testClock } from '../helpers/test-clock.ts'
import { event, timeAt } from '../protocol/session-log.ts'
import { eventually, inWords, pause } from './following.ts'

const busy = json({ error: { code: 'rate_limited', message: 'slow down' } }, { status: 429 })
const pageOfPortal = html('<html>Log in</html>')

/** An agent with the sessions `ses_good`, which has one event, and `ses_bad`, which is answered as `bad` says, if at all. */
async function start(options: Partial<WatchSessionsOptions> = {}) {
  const script: {
    bad?: Behaviour | undefined
    list?: Behaviour | undefined
    /** Of `ses_bad`: its events, and what its stream does, by the number of the connection. */
    events: readonly RawEvent[]
    stream?: (connection: number) => Behaviour | undefined
  } = { events: [said(1)] }
  let connections = 0
  const stream = liveStream()
  const server = await scriptedServer(({ url }) => {
    const list = json({ data: [{ id: 'ses_good' }, { id: 'ses_bad' }], nextCursor: null })
    if (url.startsWith('/v1/sessions?')) return script.list ?? list
    if (url.includes('ses_bad') && script.bad !== undefined) return script.bad
    if (!url.includes('/events')) return json({ id: 'ses_good', status: 'running' })
    if (!url.includes('ses_bad')) return url.includes('/stream') ? quietStream : page([said(1)])
    if (!url.includes('/stream')) return page(script.events)
    return script.stream?.(connections++) ?? stream.behaviour
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

  it('is given from its start when its history had begun anew before', async () => {
    const watch = await start()
    const { script, stream, story } = watch
    let isAway = true
    script.stream = (connection) =>
      [stream.behaviour, quietStream][connection] ?? (isAway ? refusal(503, 'busy') : quietStream)
    await watch.passUntil(() => story.includes('ses_bad: caught_up'))
    script.events = [1, 2].map((at) => event(at, 'agent.message', {}, { id: `new_${at}`, createdAt: timeAt(100) }))
    stream.end()
    await watch.passUntil(() => watch.told('delayed', 'ses_bad').length > 0)
    expect(story).toContain('ses_bad: begun_anew')
    isAway = false
    await watch.passUntil(() => watch.eventsOf('ses_bad').length === 3)
    expect(watch.eventsOf('ses_bad').slice(1)).toEqual(['ses_bad: 1 agent.message', 'ses_bad: 2 agent.message'])
  })

  it('is given from its start when it was empty before', async () => {
    const watch = await start({ selection: { from: 'now' } })
    const { script, stream, story } = watch
    let isAway = true
    script.events = []
    script.stream = (connection) => (connection === 0 ? stream.behaviour : isAway ? refusal(503, 'busy') : quietStream)
    await watch.passUntil(() => story.includes('ses_bad: caught_up'))
    stream.cut()
    await watch.passUntil(() => watch.told('delayed', 'ses_bad').length > 0, { stepMs: 5_000 })
    script.events = [said(1), said(2)]
    isAway = false
    await watch.passUntil(() => watch.eventsOf('ses_bad').length === 2)
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

  it('is watched on when the list of sessions is answered with a page, for once', async () => {
    const watch = await start()
    const { script, told, story } = watch
    await watch.passUntil(() => story.includes('ses_bad: caught_up'))
    script.list = pageOfPortal
    await watch.passUntil(() => told('list_failed').length > 0)
    script.list = undefined
    script.events = [said(1), said(2)]
    watch.stream.cut()
    await watch.passUntil(() => watch.eventsOf('ses_bad').length === 2)
    expect(watch.end()).toBeUndefined()
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
