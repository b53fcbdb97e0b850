import type { SessionState } from '../protocol/session-fold.ts'
import { answerCommands } from './answer-commands.ts'
import type { Reporter } from './reporter.ts'
import { oneLine } from './visible-text.ts'

/** Says of each call that a turn waits for, once, which command answers it: nobody may know that it waits for them. */
export function blockedTeller(reporter: Reporter): (state: SessionState, sessionId: string) => void {
  const told = new Set<string>()
  return (state, sessionId) => {
    for (const line of describeBlocked(state, sessionId)) {
      if (!told.has(line)) reporter.note(line)
      told.add(line)
    }
  }
}

function describeBlocked({ turn, calls }: SessionState, sessionId: string): string[] {
  if (turn.state !== 'blocked') return []
  return turn.toolUseIds.map((toolUseId) => {
    const { name, state } = calls.get(toolUseId) ?? { name: '', state: 'waiting' as const }
    const what = state === 'awaiting_approval' ? 'the approval of ' : ''
    const of = name === '' ? '' : ` (${oneLine(name)})`
    const [command = []] = answerCommands(state, { sessionId, toolUseId })
    return `the turn waits for ${what}${oneLine(toolUseId)}${of}. To answer it: ${command.join(' ')}`
  })
}
