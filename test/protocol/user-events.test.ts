import { expect, it } from 'vitest'
import { toolResult, userMessage } from '../../src/protocol/user-events.ts'

const content = [{ type: 'text' as const, text: 'x' }]

it.each([
  ['running', false],
  ['completed', false],
  ['failed', true],
] as const)('a %s result says is_error: %s, and nothing of its delivery', (status, is_error) => {
  expect(toolResult({ toolUseId: 't', status, content })).toEqual({
    type: 'user.custom_tool_result',
    tool_use_id: 't',
    content,
    status,
    is_error,
  })
})

it('a message carries its content', () => {
  expect(userMessage(content)).toEqual({ type: 'user.message', content })
})
