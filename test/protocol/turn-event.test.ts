import { expect, it } from 'vitest'
import { type TurnEvent, turnEvent } from '../../src/protocol/turn-event.ts'

const idle = (type: string, message?: string): TurnEvent => ({
  state: 'idle',
  stopReason: message === undefined ? { type } : { type, message },
  stated: true,
})

it.each<[type: string, stopReason: unknown, event: TurnEvent | undefined]>([
  ['session.status_idle', { type: 'end_turn' }, idle('end_turn')],
  ['session.status_idle', { type: 'error', message: 'broke' }, idle('error', 'broke')],
  ['session.status_idle', { type: 'error', message: 5 }, idle('error')],
  ['session.status_idle', { type: 'budget_spent' }, idle('budget_spent')],
  ['session.status_idle', undefined, idle('end_turn')],
  ['session.status_idle', null, idle('end_turn')],
  [
    'session.status_idle',
    { type: 'requires_action', event_ids: ['a', 1, 'b'] },
    { state: 'blocked', toolUseIds: ['a', 'b'], stated: true },
  ],
  ['session.status_idle', { type: 'requires_action' }, { state: 'blocked', toolUseIds: [], stated: true }],
  ['session.status_running', undefined, { state: 'running', stated: true }],
  ['agent.message', undefined, { state: 'running', stated: false }],
  ['agent.something_new', undefined, { state: 'running', stated: false }],
  ['user.message', undefined, { state: 'running', stated: false }],
  ['user.steer', undefined, undefined],
  ['user.interrupt', undefined, undefined],
  ['user.custom_tool_result', undefined, undefined],
  ['session.tool_updated', undefined, undefined],
  ['session.error', undefined, undefined],
])('%s with stop reason %j', (type, stop_reason, event) => {
  expect(turnEvent({ type, payload: { type, stop_reason } })).toEqual(event)
})
