import { describe, expect, it, test } from 'vitest'
import { HermError } from '../../src/errors.ts'
import type { RawEvent } from '../../src/protocol/envelope.ts'
import type { Turn } from '../../src/protocol/session-fold.ts'
import { type WaitOptions, waitForIdle } from '../../src/session/wait-for-idle.ts'
import { testClient } from '../client/test-http.ts'
import { eventStream, json, liveStream, neverAnswers } from '../helpers/scripted-server.ts'
import { frameOf, quietStream, type SessionScript, scriptedSession } from '../helpers/scripted-session.ts'
import { testClock } from '../helpers/test-clock.ts'
import { event, result } from '../protocol/session-log.ts'
import { eventually, pause } from './following.ts'

const message = (sequence: number) => event(sequence, 'user.message', { content: [{ type: 'text', text: 'go' }] })
const idle = (sequence: number, reason: object = { type: 'end_turn' }) =>
  event(sequence, 'session.status_idle', { stop_reason: reason })
const blocked = (sequence: number, ...ids: string[]) => idle(sequence, { type: 'requires_action', event_ids: ids })
const running = (sequence: number) => event(sequence, 'session.status_running')
const call = (sequence: number, id: string) =>
  event(sequence, 'agent.custom_tool_use', { tool_use_id: id, name: 'render' })
const answer = (sequence: number, id: string, status = 'running') =>
  event(sequence, 'user.custom_tool_result', result(id, status, 'text'))

async function start(script: SessionScript, options: Partial<WaitOptions> = {}) {
  const server = await scriptedSession(script)
  const clock = testClock()
  const states: Turn[] = []
  let outcome: { turn: unknown } | { error: unknown } | undefined
  const waiting = waitForIdle({
    client: testClient(server.url, { clock }),
    sessionId: server.sessionId,
    clock,
    random: () => 1,
    timeoutMs: 600_000,
    onState: ({ turn }) => states.push(turn),
    ...options,
  }).then(
    (turn) => {
      outcome = { turn }
    },
    (error) => {
      outcome = { error }
    },
  )
  return {
    server,
    clock,
    states,
    outcome: () => outcome,
    /** Lets time pass until the wait is over. */
    async over() {
      for (let rounds = 0; outcome === undefined && rounds < 2000; rounds++) {
        await clock.advance(500)
        await pause(1)
      }
      await waiting
      return outcome
    },
  }
}

describe('an idle session', () => {
  test.each<[string, RawEvent[], object]>([
    ['whose turn ended', [message(1), running(2), idle(3)], { type: 'end_turn' }],
    ['whose turn failed', [message(1), idle(2, { type: 'error', message: 'no' })], { type: 'error', message: 'no' }],
    ['in any order of the list', [idle(3), running(2), message(1)], { type: 'end_turn' }],
    [
      'which begins again after a block',
      [call(1, 'a'), blocked(2, 'a'), answer(3, 'a'), idle(4)],
      { type: 'end_turn' },
    ],
  ])('%s ends the wait at once', async (_name, history, stopReason) => {
    const { outcome, server, clock } = await start({ history })
    await eventually(() => outcome() !== undefined)
    expect(outcome()).toMatchObject({ turn: { state: 'idle', stopReason } })
    expect(server.asked('session')).toHaveLength(0)
    await eventually(() => server.underWay() === 0 && clock.sleepers() === 0)
  })
})

describe('a session that is not idle', () => {
  it('is waited for through a block and a disconnect', async () => {
    const first = liveStream()
    const second = liveStream()
    const { server, states, outcome, clock } = await start({
      streams: [first.behaviour, second.behaviour],
      history: [message(1), running(2)],
    })
    await eventually(() => states.length === 1)
    first.send(frameOf(call(3, 'a')) + frameOf(blocked(4, 'a')))
    await eventually(() => states.at(-1)?.state === 'blocked')
    first.cut()
    while (server.asked('stream').length < 2) {
      await clock.advance(250)
      await pause(2)
    }
    await second.opened
    second.send([running(6), idle(7)].map(frameOf).join(''))
    await eventually(() => outcome() !== undefined)
    expect(outcome()).toMatchObject({ turn: { state: 'idle', stopReason: { type: 'end_turn' } } })
    expect(states.map(({ state }) => state)).toEqual(expect.arrayContaining(['running', 'blocked']))
  })

  it('stays blocked on the rest when one of several calls is answered', async () => {
    const live = liveStream()
    const { states, outcome } = await start({
      streams: [live.behaviour],
      history: [call(1, 'a'), call(2, 'b'), blocked(3, 'a', 'b')],
    })
    await eventually(() => states.length > 0)
    expect(states.at(-1)).toEqual({ state: 'blocked', toolUseIds: ['a', 'b'] })
    live.send(frameOf(answer(4, 'a')))
    await eventually(() => states.length > 1)
    expect(states.at(-1)).toEqual({ state: 'blocked', toolUseIds: ['b'] })
    live.send(frameOf(answer(5, 'b')) + frameOf(idle(6)))
    await eventually(() => outcome() !== undefined)
  })

  it('is idle when the turn went on without a late answer and ended', async () => {
    const live = liveStream()
    const { states, outcome } = await start({ streams: [live.behaviour], history: [call(1, 'a'), blocked(2, 'a')] })
    await eventually(() => states.length > 0)
    live.send([event(3, 'agent.message'), idle(4)].map(frameOf).join(''))
    await eventually(() => outcome() !== undefined)
    expect(outcome()).toHaveProperty('turn.state', 'idle')
  })
})

describe('where events leave it open', () => {
  const doubtful: [string, RawEvent[]][] = [
    ['a new session', []],
    ['a message without a word of the turn', [idle(1), message(2)]],
    ['an agent that speaks without session.status_running', [idle(1), event(2, 'agent.message')]],
    ['an accepted final', [answer(1, 'a'), idle(2), answer(3, 'b', 'completed')]],
  ]

  test.each(doubtful)('%s: the service is asked, and believed', async (_name, history) => {
    const { server, over } = await start({ history, session: 'idle' })
    expect(await over()).toEqual({ turn: { state: 'idle', stopReason: { type: 'end_turn' } } })
    expect(server.asked('session')).toHaveLength(1)
  })

  test.each(doubtful)('%s: it is asked seldom while it says otherwise', async (_name, history) => {
    const live = liveStream()
    const { server, clock, outcome } = await start({ streams: [live.behaviour], history, session: 'running' })
    await eventually(() => server.asked('history').length > 0)
    await pause(20)
    for (let passed = 0; passed < 40_000; passed += 250) {
      await clock.advance(250)
      await pause(1)
    }
    expect(server.asked('session').length).toBeGreaterThan(3)
    expect(server.asked('session').length).toBeLessThan(9)
    live.send(frameOf(idle(9)))
    for (let passed = 0; outcome() === undefined && passed < 10_000; passed += 250) {
      await clock.advance(250)
      await pause(1)
    }
    expect(outcome()).toHaveProperty('turn.state', 'idle')
  })

  test('a service that cannot say it is asked again', async () => {
    let asked = 0
    const { over } = await start({
      session: {
        readsBody: true,
        run: (exchange) =>
          (asked++ < 7 ? json({}, { status: 503 }) : json({ id: 'session_1', status: 'idle' })).run(exchange),
      },
    })
    expect(await over()).toHaveProperty('turn.state', 'idle')
  })
})

describe('a wait that is not over in time', () => {
  test('ends also while it is disconnected, and says so', async () => {
    const script = { history: [running(1)], streams: [eventStream(['retry: 60000\n\n'])] }
    const { over } = await start(script, { timeoutMs: 30_000 })
    expect(await over()).toMatchObject({
      error: {
        kind: 'timeout',
        message: 'not done within 30 s: the connection is lost: the service closed the stream',
      },
    })
  })

  test.each<[string, SessionScript, RegExp]>([
    ['says which call the turn waits for', { history: [call(1, 'a'), blocked(2, 'a')] }, /its turn waits for a$/],
    ['says that a turn runs', { history: [running(1)] }, /a turn is still running$/],
    ['says that nothing could be read', { history: () => neverAnswers }, /its history could not be read/],
    ['ends also while it connects', { streams: [neverAnswers] }, /its history could not be read/],
  ])('%s', async (_name, script, words) => {
    const { server, over, clock } = await start(script, { timeoutMs: 30_000 })
    expect(await over()).toMatchObject({ error: { kind: 'timeout', message: expect.stringMatching(words) } })
    expect(await over()).toMatchObject({
      error: { message: expect.stringContaining('session_1 was not idle within 30 s') },
    })
    await eventually(() => server.underWay() === 0 && clock.sleepers() === 0)
  })

  it('names what to run for a blocked turn', async () => {
    const { over } = await start({ history: [call(1, 'a'), blocked(2, 'a')] }, { timeoutMs: 1000 })
    expect(await over()).toMatchObject({
      error: { hint: expect.stringContaining('herm-tools running --session session_1 --tool-use-id a') },
    })
  })
})

it('ends with the reason of an abort', async () => {
  const stop = new AbortController()
  const { states, outcome } = await start({ streams: [quietStream], history: [running(1)] }, { signal: stop.signal })
  await eventually(() => states.length === 1)
  const reason = new HermError('interrupted', 'Ctrl-C')
  stop.abort(reason)
  await eventually(() => outcome() !== undefined)
  expect(outcome()).toEqual({ error: reason })
})
