import { expect, it, test } from 'vitest'
import { createEventFilter, type EventFilter } from '../../src/session/event-filter.ts'
import { event, patchOf, result } from '../protocol/session-log.ts'

const typed = (type: string) => event(1, type)

it.each<[readonly string[], string, boolean]>([
  [[], 'agent.message', true],
  [['agent.message'], 'agent.message', true],
  [['agent.*'], 'agent.message', true],
  [['agent.*'], 'user.message', false],
  [['*'], 'agent.message', true],
  [['*.message'], 'user.message', true],
  [['user.*', 'session.status_*'], 'session.status_idle', true],
  [['{agent,user}.message'], 'user.message', true],
  [['agent'], 'agent.message', false],
  [[''], 'agent.message', false],
])('of types %j, %s: %s', (types, type, expected) => {
  expect(createEventFilter({ types })(typed(type))).toBe(expected)
})

test('of a tool: its calls, and what names them', () => {
  const filter: EventFilter = { types: [], tool: 'render' }
  const call = (sequence: number, id: string, name: string) =>
    event(sequence, 'agent.custom_tool_use', { tool_use_id: id, name })
  const final = event(5, 'user.custom_tool_result', result('a', 'completed', ''))
  const events = [
    event(1, 'agent.approval_request', { tool_use_id: 'c', name: 'render' }),
    event(2, 'user.tool_confirmation', { tool_use_id: 'c', result: 'allow' }),
    call(3, 'a', 'render'),
    call(4, 'b', 'rendering'),
    final,
    patchOf(final),
    event(6, 'user.custom_tool_result', result('b', 'completed', '')),
    event(7, 'user.custom_tool_result', result('unknown', 'completed', '')),
    event(8, 'agent.message', { name: 'render' }),
  ]
  expect(events.map(createEventFilter(filter))).toEqual([true, true, true, false, true, true, false, false, false])
})
