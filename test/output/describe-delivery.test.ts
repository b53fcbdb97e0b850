import { Chalk } from 'chalk'
import { expect, it, test } from 'vitest'
import { deliveryRecord, deliveryTeller } from '../../src/output/describe-delivery.ts'
import type { Reporter } from '../../src/output/reporter.ts'
import { blockedTeller } from '../../src/output/tell-blocked.ts'
import type { SessionState } from '../../src/protocol/session-fold.ts'
import type { DeliveryNote } from '../../src/session/delivery.ts'

const plain = new Chalk({ level: 0 })
const STATE: SessionState = { turn: { state: 'unknown' }, lastSequence: undefined, calls: new Map() }

test('what comes from a session is exact in JSON, and harmless for people', () => {
  const record = deliveryRecord({
    outcome: 'already_recorded',
    key: { baseUrl: 'https://api.herm.run', sessionId: 'ses_1', toolUseId: 'toolu_1' },
    status: 'completed',
    eventId: 'evt_\u001b[2J1',
    recordedAt: '2026\u001b[31m',
    turnsWaited: 0,
  })
  expect(record.text(plain)).toBe('already recorded: toolu_1 is completed as evt_1, at 2026; nothing was sent')
  expect(record.json).toMatchObject({ event_id: 'evt_\u001b[2J1', recorded_at: '2026\u001b[31m' })
})

test.each<[DeliveryNote, string, string]>([
  [
    { kind: 'call_locked', owner: undefined },
    'waiting',
    'toolu_1 is being answered by another process; waiting for it',
  ],
  [
    {
      kind: 'waiting',
      sessionId: 'ses_1',
      state: { ...STATE, turn: { state: 'running', stated: true } },
      timeoutMs: 90_000,
    },
    'waiting',
    'a turn is running; waiting for idle, at most 1m30s',
  ],
  [{ kind: 'warning', message: 'mind' }, 'warn', 'mind'],
  [{ kind: 'sending', as: 'final', attempt: 1 }, 'note', 'sending the final'],
  [{ kind: 'sending', as: 'immediate', attempt: 2 }, 'note', 'sending the immediate answer (attempt 2)'],
  [{ kind: 'put_off', reason: '409\u001b[2J', pauseMs: 250 }, 'note', 'not accepted yet (409); looking again in 0.3 s'],
  [{ kind: 'not_accepted', willResend: true }, 'note', 'it was not accepted; sending it again'],
  [{ kind: 'not_accepted', willResend: false }, 'note', 'it was not accepted'],
])('says what a delivery is doing: %o', (note, how, text) => {
  const said: [string, string][] = []
  const say = (name: string) => (line: string) => said.push([name, line])
  const reporter = {
    isJson: false,
    isAnimated: false,
    print: () => {},
    done: () => {},
    written: async () => {},
    openScreen: async () => {
      throw new Error('there is no screen')
    },
  }
  deliveryTeller({ ...reporter, note: say('note'), warn: say('warn'), waiting: say('waiting') }, 'toolu_1')(note)
  expect(said).toEqual([[how, text]])
})

it('says once for each call that a turn waits for which command answers it', () => {
  const said: string[] = []
  const tell = blockedTeller({ note: (text: string) => said.push(text) } as unknown as Reporter)
  const state: SessionState = { ...STATE, turn: { state: 'blocked', toolUseIds: ['toolu_2', "it's"] } }
  tell(state, 'ses_1')
  tell(state, 'ses_1')
  expect(said).toEqual([
    "the turn waits for toolu_2. To answer it: herm-tools running --session ses_1 --tool-use-id toolu_2 --text 'Started.'",
    "the turn waits for it's. To answer it: herm-tools running --session ses_1 --tool-use-id 'it'\\''s' --text 'Started.'",
  ])
})
