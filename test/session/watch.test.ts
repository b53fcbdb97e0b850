import { describe, expect, it, onTestFinished, test } from 'vitest'
import type { RawEvent } from '../../src/protocol/envelope.ts'
import type { Place } from '../../src/protocol/timeline.ts'
import { type WatchOptions, watch } from '../../src/session/watch.ts'
import { type WatchSessionsOptions, watchSessions } from '../../src/session/watch-sessions.ts'
import { testClient } from '../client/test-http.ts'
import { eventStream, json, liveStream, neverAnswers } from '../helpers/scripted-server.ts'
import { frameOf, page, quietStream, type SessionScript, scriptedSession } from '../helpers/scripted-session.ts'
import { testClock } from '../helpers/test-clock.ts'
import { event, result, timeAt } from '../protocol/session-log.ts'
import { eventually, inWords, pause } from './following.ts'

const said = (sequence: number) => event(sequence, 'agent.message')
const call = (sequence: number, id: string, name: string) =>
  event(sequence, 'agent.custom_tool_use', { tool_use_id: id, name })
const answer = (sequence: number, id: string, status: string) =>
  event(sequence, 'user.custom_tool_result', result(id, status, 'text'))
const idle = (sequence: number, reason: object = { type: 'end_turn' }) =>
  event(sequence, 'session.status_idle', { stop_reason: reason })

type StartOptions = WatchSessionsOptions & Pick<WatchOptions, 'after'>

/** Watches the one session of the script, as the command does. */
async function start(script: SessionScript, { after, ...options }: Partial<StartOptions> = {}) {
  const server = await scriptedSession(script)
  const clock = testClock()
  const stop = new AbortController()
  const story: string[] = []
  const updates = watchSessions({
    client: testClient(server.url, { clock }),
    sessions: [server.sessionId],
    clock,
    random: () => 1,
    selection: { from: 'start' },
    types: [],
    signal: stop.signal,
    placeOf: async () => ({ after, moved: () => undefined }),
    notify: () => undefined,
    ...options,
  })
  let outcome: 'done' | { error: unknown } | undefined
  const watching = (async () => {
    for await (const batch of updates) for (const update of batch.updates) story.push(inWords(update))
  })().then(
    () => {
      outcome = 'done'
    },
    (error) => {
      outcome = { error }
    },
  )
  onTestFinished(async () => {
    stop.abort(new Error('the test is over'))
    await watching
  })
  return {
    server,
    clock,
    story,
    outcome: () => outcome,
    gave: (words: string) =>
      eventually(
        () => story.includes(words),
        () => story,
      ),
    ended: () =>
      eventually(
        () => outcome !== undefined,
        () => story,
      ),
    async passUntil(condition: () => boolean, stepMs = 500) {
      for (let rounds = 0; !condition(); rounds++) {
        if (rounds > 1000) throw new Error(`not yet: ${story.join(', ')}`)
        await clock.advance(stepMs)
        await pause(2)
      }
    },
  }
}

describe('of history it shows what is selected', () => {
  const history = [1, 2, 3, 4].map(said)

  test.each<[WatchOptions['selection'], number[]]>([
    [{ from: 'start' }, [1, 2, 3, 4]],
    [{ from: 'now' }, []],
    [{ from: 'sequence', sequence: 2 }, [3, 4]],
    [{ from: 'sequence', sequence: 0 }, [1, 2, 3, 4]],
    [{ from: 'last', count: 2 }, [3, 4]],
    [{ from: 'last', count: 0 }, []],
    [{ from: 'last', count: 99 }, [1, 2, 3, 4]],
  ])('%j', async (selection, expected) => {
    const live = liveStream()
    const { gave, story } = await start({ streams: [live.behaviour], history }, { selection })
    await gave('caught_up')
    live.send(frameOf(said(5)))
    await gave('5 agent.message')
    expect(story).toEqual([...expected.map((one) => `${one} agent.message`), 'caught_up', '5 agent.message'])
  })

  test('the last minutes by the clock of the service', async () => {
    // The events are of the first seconds of 2026; the test's own clock stands at its very beginning.
    const serviceTime = new Date(Date.parse(timeAt(62))).toUTCString()
    const dated = {
      readsBody: true,
      run({ response }: Parameters<ReturnType<typeof page>['run']>[0]) {
        response.setHeader('date', serviceTime)
        return page(history).run({ response } as never)
      },
    }
    const { gave, story } = await start({ history: () => dated }, { selection: { from: 'ago', ms: 59_000 } })
    await gave('caught_up')
    expect(story).toEqual(['3 agent.message', '4 agent.message', 'caught_up'])
  })

  test('and not again after a disconnect', async () => {
    const { passUntil, story } = await start(
      { streams: [eventStream([]), quietStream], history },
      { selection: { from: 'last', count: 2 } },
    )
    await passUntil(() => story.filter((one) => one === 'caught_up').length === 2)
    expect(story.filter((one) => /^\d/.test(one))).toEqual(['3 agent.message', '4 agent.message'])
  })

  test('the last of those that match', async () => {
    const { gave, story } = await start(
      { history: [said(1), call(2, 'a', 'render'), said(3), said(4)] },
      { selection: { from: 'last', count: 1 }, types: ['agent.custom*', 'user.*'] },
    )
    await gave('caught_up')
    expect(story).toEqual(['2 agent.custom_tool_use', 'caught_up'])
  })
})

describe('a filter', () => {
  const history = [
    said(1),
    call(2, 'a', 'render'),
    call(3, 'b', 'export'),
    answer(4, 'b', 'running'),
    answer(5, 'a', 'running'),
    idle(6),
  ]

  test.each<[Partial<StartOptions>, number[]]>([
    [{ types: ['agent.*'] }, [1, 2, 3]],
    [{ types: ['user.*', 'session.status_idle'] }, [4, 5, 6]],
    [{ types: ['agent.message', '*.custom_tool_result'] }, [1, 4, 5]],
    [{ tool: 'render' }, [2, 5]],
    [{ tool: 'render', types: ['user.*'] }, [5]],
    [{ tool: 'nothing' }, []],
  ])('%j', async (filter, expected) => {
    const { gave, story } = await start({ history }, filter)
    await gave('caught_up')
    expect(story.slice(0, -1).map((one) => Number.parseInt(one, 10))).toEqual(expected)
  })

  test('knows the calls from before the place to go on from', async () => {
    const { gave, story } = await start({ history }, { tool: 'render', after: { sequence: 3, runningResults: [] } })
    await gave('caught_up')
    expect(story).toEqual(['5 user.custom_tool_result running', 'caught_up'])
  })
})

describe('--until is met', () => {
  const blocked = idle(3, { type: 'requires_action', event_ids: ['a'] })

  test.each<[string, Partial<StartOptions>, RawEvent[], string]>([
    ['by a session that is idle', { until: { what: 'idle' } }, [said(1), idle(2)], 'caught_up'],
    ['by a call that waits', { until: { what: 'call', tool: undefined } }, [call(2, 'a', 'x'), blocked], 'caught_up'],
    ['by a call of the tool', { until: { what: 'call', tool: 'x' } }, [call(2, 'a', 'x'), blocked], 'caught_up'],
    ['by a final', { until: { what: 'result', toolUseId: 'a' } }, [answer(1, 'a', 'failed'), said(2)], 'caught_up'],
    ['by a shown event', { until: { what: 'type', glob: 'agent.*' } }, [said(1), said(2)], '1 agent.message'],
  ])('at once %s', async (_name, options, history, last) => {
    const { ended, outcome, story } = await start({ history }, options)
    await ended()
    expect(outcome()).toBe('done')
    expect(story.at(-1)).toBe(last)
  })

  test.each<[string, Partial<StartOptions>, RawEvent[]]>([
    ['idle', { until: { what: 'idle' } }, [call(1, 'a', 'x'), blocked]],
    ['a call', { until: { what: 'call', tool: undefined } }, [call(1, 'a', 'x'), answer(2, 'a', 'running')]],
    ['a call of the tool', { until: { what: 'call', tool: 'y' } }, [call(2, 'a', 'x'), blocked]],
    ['a final', { until: { what: 'result', toolUseId: 'a' } }, [answer(1, 'a', 'running'), answer(2, 'b', 'failed')]],
    ['an event', { until: { what: 'type', glob: 'agent.*' }, selection: { from: 'now' } }, [said(1)]],
  ])('not at once by something that is nearly %s', async (_name, options, history) => {
    const { gave, outcome } = await start({ history }, options)
    await gave('caught_up')
    await pause(20)
    expect(outcome()).toBeUndefined()
  })

  test('by what happens, also when it is not shown', async () => {
    const live = liveStream()
    const { gave, ended, outcome, story } = await start(
      { streams: [live.behaviour], history: [said(1)] },
      { types: ['agent.*'], until: { what: 'type', glob: 'session.status_*' } },
    )
    await gave('caught_up')
    live.send([said(2), idle(3), said(4)].map(frameOf).join(''))
    await ended()
    expect(outcome()).toBe('done')
    expect(story).toEqual(['1 agent.message', 'caught_up', '2 agent.message'])
  })

  test('by the word of the service where events leave it open', async () => {
    const { passUntil, outcome } = await start({ session: 'idle' }, { until: { what: 'idle' } })
    await passUntil(() => outcome() !== undefined)
    expect(outcome()).toBe('done')
  })

  test.each<[string, NonNullable<WatchOptions['until']>]>([
    ['idle', { what: 'idle' }],
    ['a call', { what: 'call', tool: 'x' }],
    ['a final', { what: 'result', toolUseId: 'b' }],
  ])('at once by %s that came before the place to go on from', async (_name, until) => {
    const history =
      until.what === 'idle' ? [said(1), idle(2)] : [answer(1, 'b', 'completed'), call(2, 'a', 'x'), blocked]
    const { ended, outcome, server } = await start({ history }, { until, after: { sequence: 9, runningResults: [] } })
    await ended()
    expect(outcome()).toBe('done')
    expect(server.asked('session')).toHaveLength(0)
  })
})

describe('the timeout', () => {
  const scripts: [string, SessionScript][] = [
    ['in a quiet stream', { history: [said(1)] }],
    ['while it connects', { streams: [neverAnswers] }],
    ['while history is read', { history: () => neverAnswers }],
    ['while it is disconnected', { streams: [eventStream(['retry: 60000\n\n'])] }],
    ['while the service refuses', { streams: [eventStream([]), json({}, { status: 502 })] }],
  ]

  test.each(scripts)('ends it quietly %s', async (_name, script) => {
    const { passUntil, outcome, server, clock } = await start(script, { timeoutMs: 20_000 })
    await passUntil(() => outcome() !== undefined)
    expect(outcome()).toBe('done')
    await eventually(() => server.underWay() === 0 && clock.sleepers() === 0)
  })

  test.each(scripts)('is an error when something was waited for, %s', async (_name, script) => {
    const until = { what: 'result', toolUseId: 'a' } as const
    const { passUntil, outcome } = await start(script, { timeoutMs: 20_000, until })
    await passUntil(() => outcome() !== undefined)
    expect(outcome()).toMatchObject({ error: { kind: 'timeout', message: expect.stringContaining('within 20 s') } })
  })
})

describe('the place', () => {
  /** Watches an event stream that says everything at once; what is handled and where the place then is, in order. */
  async function handled(options: Partial<WatchOptions>): Promise<(number | string)[]> {
    const live = liveStream()
    const server = await scriptedSession({ streams: [live.behaviour], history: [said(1)] })
    const clock = testClock()
    const log: (number | string)[] = []
    const updates = watch({
      client: testClient(server.url, { clock }),
      sessionId: server.sessionId,
      clock,
      random: () => 1,
      selection: { from: 'start' },
      types: [],
      onPlace({ sequence }: Place) {
        log.push(`place ${sequence}`)
      },
      ...options,
    })
    for await (const batch of updates) {
      for (const update of batch) {
        if (update.kind === 'caught_up') live.send([2, 3, 4, 5].map((one) => frameOf(said(one))).join(''))
        if (update.kind === 'event') log.push(update.event.envelope.sequence ?? 0)
        // Long enough for what comes next to be there already.
        await pause(20)
        if (update.kind === 'event' && update.event.envelope.sequence === 4) return log
      }
    }
    return log
  }

  it('moves when an event was handled, and to no later one', async () => {
    // The second time when all of the past is given.
    expect(await handled({})).toEqual([1, 'place 1', 'place 1', 2, 'place 2', 3, 'place 3', 4])
  })

  it('moves with each of the last events that are kept back till the end of the past', async () => {
    const log = await handled({ selection: { from: 'last', count: 1 } })
    expect(log.slice(0, 4)).toEqual([1, 'place 1', 'place 1', 2])
  })

  it('stays at the event that ended the watch', async () => {
    const log = await handled({ types: ['none.*'], until: { what: 'type', glob: 'agent.*' } })
    expect(log).toEqual(['place 1', 'place 2'])
  })
})

describe('a history that begins anew', () => {
  const dated = (sequence: number, seconds: number, id = `evt_${sequence}`) =>
    event(sequence, 'agent.message', {}, { id, createdAt: timeAt(seconds) })

  it('is given from its start', async () => {
    let history: RawEvent[] = [said(1), idle(2), said(3), idle(4)]
    const first = liveStream()
    const second = liveStream()
    const script = { streams: [first.behaviour, second.behaviour, quietStream], history: () => history }
    const { story, gave, passUntil } = await start(script, { selection: { from: 'last', count: 1 } })
    await gave('caught_up')
    history = [dated(1, 100), dated(2, 101)]
    first.end()
    await passUntil(() => story.filter((one) => one === 'caught_up').length === 2)
    expect(story).toEqual([
      '4 session.status_idle',
      'caught_up',
      expect.stringMatching('disconnected'),
      'begun_anew',
      '1 agent.message',
      '2 agent.message',
      'caught_up',
    ])
  })

  it('is noticed by what the stream brings, where it is empty at first', async () => {
    let history: RawEvent[] = [said(1), said(2)]
    const first = liveStream()
    const second = liveStream()
    const script = { streams: [first.behaviour, second.behaviour, quietStream], history: () => history }
    const { story, gave, passUntil } = await start(script)
    await gave('caught_up')
    history = []
    first.end()
    await passUntil(() => story.filter((one) => one === 'caught_up').length === 2)
    history = [dated(1, 100)]
    second.send(frameOf(dated(1, 100)))
    await gave('begun_anew')
    await passUntil(() => story.filter((one) => one === 'caught_up').length === 3)
    expect(story.slice(story.indexOf('begun_anew'))).toEqual(['begun_anew', '1 agent.message', 'caught_up'])
  })

  it('is noticed by the age of the session, where it is empty', async () => {
    let history: RawEvent[] = [said(1), said(2)]
    const first = liveStream()
    const session = json({ id: 'session_1', createdAt: timeAt(100) })
    const script = { streams: [first.behaviour, quietStream], history: () => history, session }
    const { story, gave, passUntil } = await start(script)
    await gave('caught_up')
    history = []
    first.end()
    await passUntil(() => story.filter((one) => one === 'caught_up').length === 3)
    expect(story.slice(2)).toEqual([
      'caught_up',
      expect.stringMatching('disconnected'),
      'reconnected after closed, 0 recovered',
      'caught_up',
      'begun_anew',
      'caught_up',
    ])
  })

  it('is not seen in a time that stream and history write differently', async () => {
    const live = liveStream()
    let history: RawEvent[] = []
    const { story, gave, clock } = await start({ streams: [live.behaviour], history: () => history })
    await gave('caught_up')
    history = [event(1, 'agent.message', {}, { createdAt: '2026-01-01T00:00:01Z' })]
    live.send(frameOf(event(1, 'agent.message', {}, { createdAt: '2026-01-01T00:00:01.250Z' })))
    await gave('1 agent.message')
    await clock.advance(10_000)
    await pause(50)
    expect(story).toEqual(['caught_up', '1 agent.message'])
  })

  it.each<[string, RawEvent[]]>([
    ['lags', [said(1), said(2)]],
    ['is empty for a while', []],
    ['is trimmed', [said(3), said(4)]],
    ['lists two events of one number', [dated(1, 1, 'evt_other'), said(1), said(2), said(3)]],
  ])('is not taken for one that %s', async (_what, later) => {
    let history: RawEvent[] = [said(1), said(2), said(3)]
    const first = liveStream()
    const second = liveStream()
    const session = json({ id: 'session_1', createdAt: timeAt(0) })
    const script = { streams: [first.behaviour, second.behaviour], history: () => history, session }
    const { story, gave, passUntil, clock } = await start(script)
    await gave('caught_up')
    history = later
    first.end()
    await passUntil(() => story.filter((one) => one === 'caught_up').length === 2)
    second.send(frameOf(said(1)) + frameOf(said(4)))
    await gave('4 agent.message')
    await clock.advance(10_000)
    await pause(20)
    expect(story.filter((one) => /^[1-4] /.test(one))).toEqual([1, 2, 3, 4].map((at) => `${at} agent.message`))
    expect(story).not.toContain('begun_anew')
  })
})
