import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { answerCommands, commandLines } from '../../src/output/answer-commands.ts'

const call = { sessionId: "ses_'1; rm", toolUseId: 'custom_toolu_000001' }

it.each([10, 40, 80, 140])('gives commands that a shell takes as they stand, at %i columns', (width) => {
  const commands = answerCommands('waiting', call).map((command) => commandLines(command, width).join('\n'))
  const script = commands.map((command) => command.replace('herm-tools', 'printf "%s|"')).join('\necho\n')
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n')).toEqual([
    "running|--session|ses_'1; rm|--tool-use-id|custom_toolu_000001|--text|Started.|",
    "complete|--session|ses_'1; rm|--tool-use-id|custom_toolu_000001|--file|result.txt|",
  ])
})

it('keeps to the width where it can', () => {
  const [approve = []] = answerCommands('awaiting_approval', { sessionId: 's', toolUseId: 't' })
  expect(commandLines(approve, 45)).toEqual(['herm-tools approve --session s \\', '  --tool-use-id t'])
  expect(commandLines(approve, 46)).toEqual(['herm-tools approve --session s --tool-use-id t'])
})

it('has none for what nobody owes', () => {
  expect(answerCommands('completed', call)).toEqual([])
})
