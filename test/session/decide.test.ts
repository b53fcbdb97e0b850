import { expect, test } from 'vitest'
import { resultDigest } from '../../src/protocol/result-digest.ts'
import type { SessionState, Turn } from '../../src/protocol/session-fold.ts'
import type { CallResult, CallState } from '../../src/protocol/tool-call.ts'
import type { ResultStatus } from '../../src/protocol/user-events.ts'
import { type Decision, decide } from '../../src/session/decide.ts'
import type { Delivery } from '../../src/session/delivery.ts'

const toolUseId = 'toolu_1'
const idle: Turn = { state: 'idle', stopReason: { type: 'end_turn' } }
const turns = {
  idle,
  'idle after an error': { state: 'idle', stopReason: { type: 'error', message: 'no' } },
  running: { state: 'running', stated: true },
  blocked: { state: 'blocked', toolUseIds: ['toolu_2'] },
  unknown: { state: 'unknown' },
} as const satisfies Record<string, Turn>

const states: readonly CallState[] = [
  'awaiting_approval',
  'approved',
  'waiting',
  'running',
  'completed',
  'failed',
  'expired',
  'withdrawn',
  'denied',
]

/** `none`: history does not show the call. A call in a state of a result has that result, with the text `old`. */
function session(call: CallState | 'none', turn: Turn = idle, more: readonly CallResult[] = []): SessionState {
  const results = isResultStatus(call) ? [resultOf(call, 'old', 'evt_1'), ...more] : more
  const known = {
    toolUseId,
    name: 'render',
    input: {},
    askedAt: undefined,
    turnSince: undefined,
    deadline: undefined,
    state: call as CallState,
    approval: undefined,
    result: results.at(-1),
    results,
  }
  return { turn, lastSequence: 1, calls: new Map(call === 'none' ? [] : [[toolUseId, known]]) }
}

function resultOf(status: ResultStatus, text: string, eventId: string): CallResult {
  return { eventId, status, digest: resultDigest(status, text), sequence: 1, at: undefined }
}

function isResultStatus(state: CallState | 'none'): state is ResultStatus {
  return state === 'running' || state === 'completed' || state === 'failed'
}

function delivery(status: ResultStatus, { text = 'new', force = false } = {}): Delivery {
  return {
    key: { baseUrl: 'https://api.herm.run', sessionId: 'ses_1', toolUseId },
    status,
    content: [{ type: 'text', text }],
    digest: resultDigest(status, text),
    timeoutMs: 1,
    settleMs: 1,
    resend: true,
    force,
  }
}

function inWords(decision: Decision): string {
  switch (decision.do) {
    case 'send':
      return `send ${decision.as}${decision.warning === undefined ? '' : ', warn'}`
    case 'adopt':
      return `adopt ${decision.result.status} ${decision.result.eventId}`
    case 'refuse':
      return decision.error.kind
    default:
      return decision.do
  }
}

test('a kickoff goes to a call that waits or has expired, whatever the turn does', () => {
  const decisions = [...states, 'none' as const].map((call) => [
    call,
    ...Object.values(turns).map((turn) => inWords(decide(session(call, turn), delivery('running')))),
  ])
  expect(decisions).toEqual([
    ['awaiting_approval', ...everyTurn('rejected')],
    ['approved', ...everyTurn('wait')],
    ['waiting', ...everyTurn('send kickoff')],
    ['running', ...everyTurn('rejected')],
    ['completed', ...everyTurn('adopt completed evt_1')],
    ['failed', ...everyTurn('adopt failed evt_1')],
    ['expired', ...everyTurn('send kickoff, warn')],
    ['withdrawn', ...everyTurn('rejected')],
    ['denied', ...everyTurn('rejected')],
    ['none', ...everyTurn('look_again')],
  ])
})

test('a final goes to a call that waits at once, and to any other once the session is idle', () => {
  const whenIdle = ['send final', 'send final', 'wait', 'wait', 'wait']
  const decisions = [...states, 'none' as const].map((call) => [
    call,
    ...Object.values(turns).map((turn) => inWords(decide(session(call, turn), delivery('completed')))),
  ])
  expect(decisions).toEqual([
    ['awaiting_approval', ...everyTurn('rejected')],
    ['approved', ...whenIdle],
    ['waiting', ...everyTurn('send immediate')],
    ['running', ...whenIdle],
    ['completed', ...everyTurn('adopt completed evt_1')],
    ['failed', ...everyTurn('adopt failed evt_1')],
    ['expired', ...whenIdle],
    ['withdrawn', ...everyTurn('rejected')],
    ['denied', ...everyTurn('rejected')],
    ['none', ...everyTurn('look_again')],
  ])
})

test.each([
  ['running', 'running', 'old', 'adopt running evt_1'],
  ['running', 'running', 'old \r\n', 'adopt running evt_1'],
  ['completed', 'failed', 'old', 'adopt completed evt_1'],
  ['running', 'completed', 'old', 'send final'],
  ['completed', 'running', 'old', 'adopt completed evt_1'],
] as const)('a call that is %s, given %s "%s"', (call, status, text, expected) => {
  expect(inWords(decide(session(call), delivery(status, { text })))).toBe(expected)
})

test('of several finals, the same one counts, wherever it stands', () => {
  const state = session('completed', idle, [resultOf('failed', 'later', 'evt_2')])
  expect(inWords(decide(state, delivery('completed', { text: 'old' })))).toBe('adopt completed evt_1')
  expect(inWords(decide(state, delivery('failed', { text: 'later' })))).toBe('adopt failed evt_2')
  expect(inWords(decide(state, delivery('failed', { text: 'new' })))).toBe('adopt failed evt_2')
})

test.each([
  ['completed', 'idle', 'send final'],
  ['completed', 'running', 'wait'],
  ['none', 'idle', 'send final'],
  ['none', 'unknown', 'wait'],
  ['waiting', 'blocked', 'send immediate'],
  ['denied', 'idle', 'rejected'],
] as const)('forced, for a call that is %s in a turn that is %s', (call, turn, expected) => {
  const forced = delivery('completed', { text: 'old', force: true })
  expect(inWords(decide(session(call, turns[turn]), forced))).toBe(expected)
})

function everyTurn(words: string): string[] {
  return Object.keys(turns).map(() => words)
}
