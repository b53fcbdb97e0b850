import { execFileSync } from 'node:child_process'
import stringWidth from 'fast-string-width'
import { describe, expect, it } from 'vitest'
import { answerCommands, commandLines } from '../../src/output/answer-commands.ts'

const call = { sessionId: "ses_'1; rm", toolUseId: 'custom_toolu_000001' }
const longCalls = [
  { sessionId: 'ses_0123456789abcdef0123456789abcdef', toolUseId: 'custom_toolu_0123456789abcdefghijklmnopq' },
  { sessionId: String.raw`it's \'a\' "session" `.repeat(4).trim(), toolUseId: String.raw`\'\\'`.repeat(9) },
  { sessionId: `-${'映画 '.repeat(20)}x`, toolUseId: `${'e\u0301'.repeat(30)}🎬'` },
]

it.each([10, 40, 80, 140])('gives commands that a shell takes as they stand, at %i columns', (width) => {
  expect(asTaken('waiting', call, width)).toEqual([
    ['running', '--session', "ses_'1; rm", '--tool-use-id', 'custom_toolu_000001', '--text', 'Started.'],
    ['complete', '--session', "ses_'1; rm", '--tool-use-id', 'custom_toolu_000001', '--file', 'result.txt'],
  ])
})

describe.each(longCalls)('for $toolUseId', (call) => {
  it.each([20, 29, 30, 39, 42, 59, 79])('keeps to %i columns, and is still the same', (width) => {
    for (const command of answerCommands('waiting', call)) {
      for (const line of commandLines(command, width)) expect(stringWidth(line), line).toBeLessThanOrEqual(width)
    }
    const { sessionId, toolUseId } = call
    expect(asTaken('running', call, width)).toEqual([
      ['complete', '--session', sessionId, '--tool-use-id', toolUseId, '--file', 'result.txt'],
    ])
  })
})

it('breaks where a person would, and within a word only where it has to', () => {
  const [approve = []] = answerCommands('awaiting_approval', { sessionId: 's', toolUseId: 't' })
  expect(commandLines(approve, 47)).toEqual(['  herm-tools approve --session s \\', '    --tool-use-id t'])
  expect(commandLines(approve, 48)).toEqual(['  herm-tools approve --session s --tool-use-id t'])
  const [complete = []] = answerCommands('running', { sessionId: 's', toolUseId: 'custom_toolu_01234567' })
  expect(commandLines(complete, 32)).toEqual([
    '  herm-tools complete \\',
    '    --session s --tool-use-id \\',
    '    custom_toolu_01234567 \\',
    '    --file result.txt',
  ])
  expect(commandLines(complete, 24)).toEqual([
    '  herm-tools complete \\',
    '    --session s \\',
    '    --tool-use-id \\',
    '    custom_toolu_0123\\',
    '4567 --file result.txt',
  ])
})

it('has none for what nobody owes', () => {
  expect(answerCommands('completed', call)).toEqual([])
})

/** The words of each command, as a shell passes them on. */
function asTaken(state: 'waiting' | 'running', call: { sessionId: string; toolUseId: string }, width: number) {
  const commands = answerCommands(state, call).map((command) => commandLines(command, width).join('\n'))
  // Also this name may be torn where there is hardly any room.
  const script = `herm-tools() { printf '%s\\n' "$@"; echo; }\n${commands.join('\n')}`
  const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8' })
  return printed
    .trimEnd()
    .split('\n\n')
    .map((words) => words.split('\n'))
}
