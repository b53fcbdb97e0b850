import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventOf, type RawEvent } from '../../src/protocol/envelope.ts'
import { resultDigest } from '../../src/protocol/result-digest.ts'
import { createSessionFold, type SessionState } from '../../src/protocol/session-fold.ts'
import { ANSWER_LIMIT_MS } from '../../src/protocol/tool-call.ts'
import { allVersions, event, historyAt, patchOf, result, type Step, sessionLogs, timeAt } from './session-log.ts'

const asked = (sequence: number, id: string, more = {}) =>
  event(sequence, 'agent.custom_tool_use', { tool_use_id: id, name: 'render', input: { scene: 1 } }, more)
const approvalAsked = (sequence: number, id: string, more = {}) =>
  event(sequence, 'agent.approval_request', { tool_use_id: id, name: 'render', input: { scene: 1 } }, more)
const confirmed = (sequence: number, id: string, answer: 'allow' | 'deny') =>
  event(sequence, 'user.tool_confirmation', { tool_use_id: id, result: answer })
const answered = (sequence: number, id: string, status: string, text = 'text', more = {}) =>
  event(sequence, 'user.custom_tool_result', result(id, status, text), more)
const message = (sequence: number, more = {}) => event(sequence, 'agent.message', { content: [] }, more)
const idle = (sequence: number) => event(sequence, 'session.status_idle', { stop_reason: { type: 'end_turn' } })
const blockedOn = (sequence: number, ...ids: string[]) =>
  event(sequence, 'session.status_idle', { stop_reason: { type: 'requires_action', event_ids: ids } })
const running = (sequence: number) => event(sequence, 'session.status_running')
const userMessage = (sequence: number) => event(sequence, 'user.message', { content: [] })
const afterDeadline = { createdAt: timeAt(1 + ANSWER_LIMIT_MS / 1000 + 1) }

describe('the turn', () => {
  it.each<[what: string, events: RawEvent[], turn: SessionState['turn']]>([
    ['of a new session', [], { state: 'unknown' }],
    ['of a history without a word of it', [event(1, 'session.created')], { state: 'unknown' }],
    ['ended', [userMessage(1), idle(2)], { state: 'idle', stopReason: { type: 'end_turn' } } as never],
    ['said to run', [idle(1), running(2)], { state: 'running', stated: true }],
    ['started by a message', [idle(1), userMessage(2)], { state: 'running', stated: false }],
    ['seen by what the agent does', [idle(1), message(2)], { state: 'running', stated: false }],
    ['started by an appended final', [idle(1), answered(2, 'x', 'completed')], { state: 'running', stated: false }],
    ['not started by a late kickoff', [idle(1), answered(2, 'x', 'running')], { state: 'idle' } as never],
    ['blocked by a call alone', [running(1), asked(2, 'a')], { state: 'blocked', toolUseIds: ['a'] }],
    [
      'blocked by two calls, in the order in which they were asked',
      [asked(2, 'a'), asked(1, 'b')],
      { state: 'blocked', toolUseIds: ['b', 'a'] },
    ],
    ['blocked in so many words', [asked(1, 'a'), blockedOn(2, 'a')], { state: 'blocked', toolUseIds: ['a'] }],
    ['blocked on a call that was not seen', [blockedOn(2, 'b')], { state: 'blocked', toolUseIds: ['b'] }],
    [
      'blocked on the other of two calls',
      [asked(1, 'a'), asked(2, 'b'), blockedOn(3, 'a', 'b'), answered(4, 'a', 'running')],
      { state: 'blocked', toolUseIds: ['b'] },
    ],
    [
      'released by the answer',
      [asked(1, 'a'), blockedOn(2, 'a'), answered(3, 'a', 'completed')],
      { state: 'running', stated: false },
    ],
    ['blocked on an approval', [approvalAsked(1, 'a'), blockedOn(2, 'a')], { state: 'blocked', toolUseIds: ['a'] }],
    [
      'released by a denial',
      [approvalAsked(1, 'a'), blockedOn(2, 'a'), confirmed(3, 'a', 'deny')],
      { state: 'running', stated: false },
    ],
    [
      'released by a permission, and said to run',
      [approvalAsked(1, 'a'), blockedOn(2, 'a'), confirmed(3, 'a', 'allow'), running(4)],
      { state: 'running', stated: true },
    ],
    [
      'blocked again once the permitted call is asked',
      [approvalAsked(1, 'a'), confirmed(2, 'a', 'allow'), asked(3, 'a')],
      { state: 'blocked', toolUseIds: ['a'] },
    ],
  ])('%s', (_what, events, turn) => {
    expect(stateOf(events).turn).toMatchObject(turn)
  })

  it('keeps the words of a turn that failed', () => {
    const failed = event(1, 'session.status_idle', { stop_reason: { type: 'error', message: 'broke' } })
    expect(stateOf([failed]).turn).toMatchObject({ stopReason: { type: 'error', message: 'broke' } })
  })
})

describe('the state of a call', () => {
  it.each<[state: string, what: string, events: RawEvent[]]>([
    ['waiting', 'asked', [asked(1, 'a')]],
    ['waiting', 'named in a block', [asked(1, 'a'), blockedOn(2, 'a')]],
    ['waiting', 'past its deadline, as long as nothing goes on', [asked(1, 'a'), event(2, 'ping', {}, afterDeadline)]],
    ['waiting', 'past its deadline, but still named', [asked(1, 'a'), message(2, afterDeadline), blockedOn(3, 'a')]],
    ['waiting', 'while the agent goes on within the time', [asked(1, 'a'), message(2)]],
    ['expired', 'the turn ended', [asked(1, 'a'), idle(2)]],
    ['expired', 'the turn is blocked on another', [asked(1, 'a'), asked(2, 'b'), blockedOn(3, 'b')]],
    ['expired', 'the agent went on past the deadline', [asked(1, 'a'), message(2, afterDeadline)]],
    ['running', 'a kickoff', [asked(1, 'a'), answered(2, 'a', 'running')]],
    ['running', 'a kickoff after the end of the turn', [asked(1, 'a'), idle(2), answered(3, 'a', 'running')]],
    ['completed', 'an immediate answer', [asked(1, 'a'), answered(2, 'a', 'completed')]],
    ['failed', 'an immediate failure', [asked(1, 'a'), answered(2, 'a', 'failed')]],
    ['completed', 'only its final is in history', [answered(2, 'a', 'completed')]],
    ['completed', 'a final beside a kickoff', [answered(3, 'a', 'completed'), answered(4, 'a', 'running')]],
    ['awaiting_approval', 'asked for approval', [approvalAsked(1, 'a')]],
    ['awaiting_approval', 'for however long', [approvalAsked(1, 'a'), message(2, afterDeadline)]],
    ['approved', 'allowed', [approvalAsked(1, 'a'), confirmed(2, 'a', 'allow')]],
    ['waiting', 'allowed and asked', [approvalAsked(1, 'a'), confirmed(2, 'a', 'allow'), asked(3, 'a')]],
    ['denied', 'denied', [approvalAsked(1, 'a'), confirmed(2, 'a', 'deny')]],
    ['denied', 'denied, and the turn over', [approvalAsked(1, 'a'), confirmed(2, 'a', 'deny'), idle(3)]],
    ['withdrawn', 'approval never given', [approvalAsked(1, 'a'), idle(2)]],
    ['withdrawn', 'allowed, and never asked', [approvalAsked(1, 'a'), confirmed(2, 'a', 'allow'), idle(3)]],
  ])('is %s: %s', (state, _what, events) => {
    expect(stateOf(events).calls.get('a')?.state).toBe(state)
  })

  it.each<[turnSince: string | undefined, what: string, events: RawEvent[]]>([
    ['went_on', 'the agent went on', [asked(1, 'a'), blockedOn(2, 'a'), message(3)]],
    ['went_on', 'the turn is blocked on another', [asked(1, 'a'), asked(2, 'b'), blockedOn(3, 'b')]],
    ['ended', 'the turn ended, as by an interrupt', [asked(1, 'a'), blockedOn(2, 'a'), idle(3)]],
    [undefined, 'it waits', [asked(1, 'a'), blockedOn(2, 'a')]],
    [undefined, 'it is answered', [asked(1, 'a'), answered(2, 'a', 'completed'), idle(3)]],
  ])('tells that the turn of an unanswered call %s: %s', (turnSince, _what, events) => {
    expect(stateOf(events).calls.get('a')?.turnSince).toBe(turnSince)
  })

  it('measures the deadline from the call, not from the approval before it', () => {
    const late = { createdAt: timeAt(1000) }
    const call = stateOf([approvalAsked(1, 'a'), confirmed(2, 'a', 'allow'), asked(3, 'a', late)]).calls.get('a')
    expect(call).toMatchObject({ state: 'waiting', deadline: Date.parse(timeAt(1000)) + ANSWER_LIMIT_MS })
    expect(stateOf([approvalAsked(1, 'a')]).calls.get('a')?.deadline).toBeUndefined()
  })

  it('has no deadline when the service gave no time', () => {
    expect(stateOf([asked(1, 'a', { createdAt: undefined })]).calls.get('a')?.deadline).toBeUndefined()
  })

  it('takes a whole event for one that was listed before it was whole', () => {
    const partial = event(1, 'agent.custom_tool_use', { tool_use_id: 'a', name: 'r', input: {} }, { status: 'pending' })
    expect(stateOf([partial, asked(1, 'a')]).calls.get('a')?.input).toEqual({ scene: 1 })
    expect(stateOf([asked(1, 'a'), partial]).calls.get('a')?.input).toEqual({ scene: 1 })
  })

  it('has its input until there is a final, in any order', () => {
    const done = answered(4, 'a', 'completed')
    const asking = [asked(1, 'a'), approvalAsked(1, 'a')]
    expect(stateOf([...asking, answered(3, 'a', 'running')]).calls.get('a')?.input).toEqual({ scene: 1 })
    expect(stateOf([...asking, done]).calls.get('a')).toMatchObject({ name: 'render', input: undefined })
    expect(stateOf([done, ...asking]).calls.get('a')).toMatchObject({ name: 'render', input: undefined })
  })
})

describe('a replaced result', () => {
  const kickoff = answered(2, 'a', 'running', 'started')
  const final = answered(2, 'a', 'completed', 'done', { processedAt: timeAt(50) })
  const patch = patchOf(final)

  it.each<[string, RawEvent[]]>([
    ['in history', [final]],
    ['before its running version', [final, kickoff]],
    ['after its running version', [kickoff, final]],
    ['by a frame after the event', [kickoff, patch]],
    ['by a frame before the event', [patch, kickoff]],
    ['by a frame and in history', [patch, kickoff, final, patch, kickoff]],
  ])('counts: %s', (_what, events) => {
    const call = stateOf([asked(1, 'a'), ...events]).calls.get('a')
    expect(call?.state).toBe('completed')
    const expected = {
      eventId: 'evt_2',
      status: 'completed',
      digest: resultDigest('completed', 'done'),
      sequence: 2,
      at: timeAt(50),
    }
    expect(call?.result).toEqual(expected)
    expect(call?.results).toEqual([expected])
  })

  it('counts when only its frame was seen', () => {
    expect(stateOf([patch]).calls.get('a')).toMatchObject({ state: 'completed', result: { sequence: undefined } })
  })

  it('starts a turn by its time, its place in the order being that of the kickoff', () => {
    const before = [asked(1, 'a'), final, idle(3)]
    expect(stateOf(before).turn).toEqual({ state: 'running', stated: false })
    const turnEnd = event(4, 'session.status_idle', { stop_reason: { type: 'end_turn' } }, { createdAt: timeAt(51) })
    expect(stateOf([...before, turnEnd]).turn.state).toBe('idle')
    const untimed = answered(2, 'a', 'completed', 'done', { createdAt: undefined })
    expect(stateOf([asked(1, 'a'), untimed, idle(3)]).turn.state).toBe('idle')
  })

  it('counts even where the running version is dated later', () => {
    const redated = answered(2, 'a', 'running', 'started', { processedAt: timeAt(99) })
    expect(stateOf([final, redated]).calls.get('a')?.result?.digest).toBe(resultDigest('completed', 'done'))
    expect(stateOf([redated, final]).calls.get('a')?.result?.digest).toBe(resultDigest('completed', 'done'))
  })

  it('keeps its own place in the order, even where the frame has a sequence', () => {
    const numbered = eventOf({ ...patch.envelope, sequence: 99 })
    const state = stateOf([kickoff, idle(3), numbered])
    expect(state.lastSequence).toBe(3)
    expect(state.calls.get('a')?.result?.sequence).toBe(2)
  })
})

it('lists all results of a call, the one that counts last', () => {
  const events = [
    answered(5, 'a', 'failed', 'second'),
    answered(2, 'a', 'running'),
    answered(3, 'a', 'completed', 'first'),
  ]
  const call = stateOf(events).calls.get('a')
  expect(call?.results.map(({ eventId }) => eventId)).toEqual(['evt_2', 'evt_3', 'evt_5'])
  expect(call?.result?.digest).toBe(resultDigest('failed', 'second'))
})

it('orders the results of a call by sequence, whatever their times', () => {
  const events = [
    answered(3, 'a', 'completed', 'first', { createdAt: timeAt(9) }),
    answered(5, 'a', 'completed', 'second', { createdAt: timeAt(1) }),
  ]
  expect(stateOf(events).calls.get('a')?.result?.digest).toBe(resultDigest('completed', 'second'))
})

it('keeps calls in the order in which they were asked', () => {
  const state = stateOf([asked(7, 'a'), answered(9, 'unseen', 'completed'), approvalAsked(2, 'z'), asked(8, 'z')])
  expect([...state.calls.keys()]).toEqual(['unseen', 'z', 'a'])
})

it('knows what was true after each step of any session', () => {
  fc.assert(
    fc.property(sessionLogs(), (steps) => {
      const fold = createSessionFold()
      for (const { event, truth } of steps) {
        fold.add(event.envelope)
        const { turn, calls } = fold.state()
        expect(Object.fromEntries([...calls].map(([id, { state }]) => [id, state]))).toEqual(truth.calls)
        if (truth.turn?.state === 'blocked') {
          expect(turn.state).toBe('blocked')
          expect([...(turn.state === 'blocked' ? turn.toolUseIds : [])].sort()).toEqual(
            truth.turn.toolUseIds.toSorted(),
          )
        } else if (truth.turn !== undefined) {
          expect(turn.state).toBe(truth.turn.state)
        }
      }
    }),
    { numRuns: 300 },
  )
})

it('comes to the same state in any order, with any repetition, stale versions and frames mixed in', () => {
  const deliveries = sessionLogs().chain((steps) => {
    const pool = [...allVersions(steps), ...patches(steps)]
    return fc.record({
      steps: fc.constant(steps),
      order: fc.shuffledSubarray(pool, { minLength: pool.length }),
      again: fc.subarray(pool),
    })
  })
  fc.assert(
    fc.property(deliveries, ({ steps, order, again }) => {
      const expected = stateOf(historyAt(steps))
      const seen = stateOf([...order, ...again])
      expect(seen).toEqual(expected)
      expect([...seen.calls.keys()]).toEqual([...expected.calls.keys()])
    }),
    { numRuns: 300 },
  )
})

it('can be asked at any time without changing what it comes to', () => {
  fc.assert(
    fc.property(sessionLogs(), (steps) => {
      const fold = createSessionFold()
      for (const { envelope } of allVersions(steps)) {
        fold.add(envelope)
        fold.state()
      }
      expect(fold.state()).toEqual(stateOf(historyAt(steps)))
    }),
  )
})

function stateOf(events: readonly RawEvent[]): SessionState {
  const fold = createSessionFold()
  for (const { envelope } of events) fold.add(envelope)
  return fold.state()
}

function patches(steps: readonly Step[]): RawEvent[] {
  return steps.flatMap((step) => (step.kind === 'replace' ? [step.patch] : []))
}
