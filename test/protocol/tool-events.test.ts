import { describe, expect, it } from 'vitest'
import { type ToolEvent, toolEvent } from '../../src/protocol/tool-events.ts'

type Payload = Record<string, unknown>

describe.each([
  ['agent.custom_tool_use', 'asked'],
  ['agent.approval_request', 'approval_asked'],
])('%s', (type, kind) => {
  it.each<[what: string, payload: Payload, toolUseId: string, name: string, input: unknown]>([
    ['tool_use_id', { tool_use_id: 't', id: 'i', name: 'n', input: { a: 1 } }, 't', 'n', { a: 1 }],
    ['id in its place', { id: 'i', name: 'n', input: {} }, 'i', 'n', {}],
    ["the envelope's id in its place", { name: 'n', input: {} }, 'evt_1', 'n', {}],
    ['arguments for input', { tool_use_id: 't', name: 'n', arguments: [1] }, 't', 'n', [1]],
    ['input before arguments', { tool_use_id: 't', name: 'n', input: 0, arguments: 1 }, 't', 'n', 0],
    ['neither name nor input', { tool_use_id: 't' }, 't', '', undefined],
  ])('is read by %s', (_what, payload, toolUseId, name, input) => {
    expect(toolEvent({ id: 'evt_1', type, payload })).toEqual({ kind, toolUseId, name, input })
  })

  it('without any id concerns no call', () => {
    expect(toolEvent({ type, payload: {} })).toBeUndefined()
  })
})

describe('user.custom_tool_result', () => {
  it.each<[payload: Payload, status: string]>([
    [{ status: 'running' }, 'running'],
    [{ status: 'completed' }, 'completed'],
    [{ status: 'failed', is_error: true }, 'failed'],
    [{ status: 'completed', is_error: true }, 'completed'],
    [{}, 'completed'],
    [{ is_error: true }, 'failed'],
    [{ status: 'archived', is_error: true }, 'failed'],
  ])('%j is %s', (payload, status) => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]
    const envelope = {
      id: 'evt_1',
      type: 'user.custom_tool_result',
      payload: { tool_use_id: 't', content, ...payload },
    }
    expect(toolEvent(envelope)).toEqual({ kind: 'result', toolUseId: 't', status, text: 'ab', eventId: 'evt_1' })
  })
})

describe('user.tool_confirmation', () => {
  it.each([
    ['allow', true],
    ['deny', false],
  ])('%s', (result, allowed) => {
    const envelope = { type: 'user.tool_confirmation', payload: { tool_use_id: 't', result } }
    expect(toolEvent(envelope)).toEqual({ kind: 'approval_answered', toolUseId: 't', allowed })
  })
})

it('session.tool_updated is read as the result that it carries, under the id of the event that it patches', () => {
  const patch = { type: 'user.custom_tool_result', tool_use_id: 't', content: [{ text: 'x' }], status: 'completed' }
  const envelope = { id: 'evt_own', type: 'session.tool_updated', payload: { event_id: 'evt_1', payload: patch } }
  const expected: ToolEvent = { kind: 'result', toolUseId: 't', status: 'completed', text: 'x', eventId: 'evt_1' }
  expect(toolEvent(envelope)).toEqual(expected)
})

it.each<[type: string, payload: Payload]>([
  ['agent.message', { tool_use_id: 't' }],
  ['session.tool_updated', { event_id: 'evt_1' }],
  ['session.tool_updated', { event_id: 'evt_1', payload: 'text' }],
  ['session.tool_updated', { event_id: 'evt_1', payload: {} }],
  ['user.custom_tool_result', { status: 'running' }],
  ['user.tool_confirmation', { result: 'allow' }],
])('%s %j concerns no call', (type, payload) => {
  expect(toolEvent({ type, payload })).toBeUndefined()
})
