import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Envelope } from '../../src/protocol/envelope.ts'
import { createSessionFold, type SessionState } from '../../src/protocol/session-fold.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { confirmation, message, result, sessionApi } from './api.ts'

/** An agent with every way in which a turn can run, block and end. The first word of a message chooses. */
const SCENARIO = `
agents:
  agent:
    - { when: message, matches: '^one', do: [{ call: { tool: t } }, { say: done }] }
    - { when: message, matches: '^two', do: [{ calls: [{ tool: t }, { tool: u, policy: always_ask }] }, { wait: 1m }, { call: { tool: t } }] }
    - { when: message, matches: '^ask', do: [{ call: { tool: t, policy: always_ask } }, { say: asked }] }
    - { when: message, matches: '^error', do: [{ error: broken }] }
    - { when: message, matches: '^wait', do: [{ wait: 2m }, { say: done }] }
    - { when: result, matches: again, do: [{ call: { tool: t } }] }
sessions: [{ id: s, agent: agent }]
`

interface UserEvent {
  readonly type: string
  readonly tool_use_id?: string
  readonly status?: string
}

/** `call` picks one of the latest calls, or an id that never was when there are too few. */
type Action =
  | { readonly kind: 'send'; readonly call: number; readonly event: (toolUseId: string) => UserEvent }
  | { readonly kind: 'pass'; readonly ms: number }

const send = (event: (toolUseId: string) => UserEvent) =>
  fc.constantFrom(0, 0, 0, 1, 2).map((call): Action => ({ kind: 'send', call, event }))
const oneOf = (...events: ((toolUseId: string) => UserEvent)[]) => fc.constantFrom(...events).chain(send)

const action = fc.oneof(
  {
    weight: 2,
    arbitrary: oneOf(
      ...['one', 'two', 'two', 'ask', 'ask', 'error', 'wait', 'nothing'].map((text) => () => message(text)),
    ),
  },
  {
    weight: 3,
    arbitrary: oneOf(
      (id) => result(id, 'running'),
      (id) => result(id, 'completed'),
      (id) => result(id, 'failed'),
      (id) => result(id, 'completed', 'again'),
    ),
  },
  {
    weight: 3,
    arbitrary: oneOf(
      (id) => confirmation(id, 'allow'),
      (id) => confirmation(id, 'deny'),
    ),
  },
  oneOf(
    () => ({ type: 'user.steer', message: 'left' }),
    () => ({ type: 'user.interrupt' }),
  ),
  fc.constantFrom(60_000, 119_999, 5 * 60_000, 5 * 60_000 + 1).map((ms): Action => ({ kind: 'pass', ms })),
)

/** What the service will say to an event, as far as the folded state can tell. */
function foretold(state: SessionState, event: UserEvent): string[] {
  const { turn, calls } = state
  const isIdle = turn.state === 'idle' || turn.state === 'unknown'
  const call = calls.get(event.tool_use_id ?? '')
  switch (event.type) {
    case 'user.message':
      return [isIdle ? 'accepted' : 'invalid_state']
    case 'user.steer':
    case 'user.interrupt':
      return [isIdle ? 'invalid_state' : 'accepted']
    case 'user.tool_confirmation':
      return [call?.state === 'awaiting_approval' ? 'accepted' : 'invalid_state']
    default:
      if (call?.state === 'waiting') return ['accepted']
      if (call?.state === 'awaiting_approval') return ['invalid_state']
      if (event.status === 'running') return ['no_active_turn']
      if (isIdle) return ['accepted']
      // Whether it was this turn or an earlier one that gave up waiting is not part of the state.
      return call?.state === 'expired' ? ['no_active_turn', 'invalid_state'] : ['invalid_state']
  }
}

function foldOf(envelopes: readonly Envelope[]): SessionState {
  const fold = createSessionFold()
  for (const envelope of envelopes) fold.add(envelope)
  return fold.state()
}

test('a fold of the history, in any order and with older versions in it, foretells what the emulator accepts', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 25, size: 'max' }),
      fc.infiniteStream(fc.nat()),
      async (actions, picks) => {
        const { url, clock, control, close } = await startEmulator({ scenario: SCENARIO })
        const api = sessionApi(url, 's')
        const versions = new Map<string, Envelope>()
        for (const action of actions) {
          if (action.kind === 'pass') {
            await clock.advance(action.ms)
            continue
          }
          const history = control.events('s')
          for (const { raw, envelope } of history) versions.set(raw, envelope)
          const envelopes = history.map(({ envelope }) => envelope)
          const state = foldOf(shuffled([...envelopes, ...versions.values()], picks))
          expect(state).toEqual(foldOf(envelopes))
          expect(wireStatus[state.turn.state]).toBe(await api.status())

          const event = action.event([...state.calls.keys()].at(-1 - action.call) ?? 'custom_toolu_wrong')
          const { status, body } = await api.send(event)
          const outcome = status === 202 ? 'accepted' : body.error.code
          expect(foretold(state, event), JSON.stringify(event)).toContain(outcome)
          const isStored = control.events('s').some(({ raw }) => !versions.has(raw))
          expect(isStored).toBe(outcome !== 'invalid_state')
          seen.add(`${event.type} ${outcome}`)
        }
        await close()
      },
    ),
    { numRuns: 100 },
  )
  // The runs came to every kind of answer there is.
  expect([...seen].sort()).toEqual([
    'user.custom_tool_result accepted',
    'user.custom_tool_result invalid_state',
    'user.custom_tool_result no_active_turn',
    'user.interrupt accepted',
    'user.interrupt invalid_state',
    'user.message accepted',
    'user.message invalid_state',
    'user.steer accepted',
    'user.steer invalid_state',
    'user.tool_confirmation accepted',
    'user.tool_confirmation invalid_state',
  ])
})

const wireStatus = { unknown: 'idle', idle: 'idle', running: 'running', blocked: 'requires_action' }

function shuffled<T>(items: readonly T[], picks: Iterator<number>): T[] {
  const rest = [...items]
  return items.map(() => rest.splice((picks.next().value as number) % rest.length, 1)[0] as T)
}
