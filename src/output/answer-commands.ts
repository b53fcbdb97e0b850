import { shellWord } from '../protocol/shell-word.ts'
import type { CallState } from '../protocol/tool-call.ts'
import { oneLine } from './visible-text.ts'

/** A command in parts that must not be torn: the program, and each flag with its value. */
export type Command = readonly string[]

/** What to type for a call in this state, whole and ready to run; nothing when nobody owes it anything. */
export function answerCommands(state: CallState, call: { sessionId: string; toolUseId: string }): Command[] {
  const flags = [`--session ${word(call.sessionId)}`, `--tool-use-id ${word(call.toolUseId)}`]
  switch (state) {
    case 'awaiting_approval':
      return [
        ['herm-tools approve', ...flags],
        ['herm-tools deny', ...flags],
      ]
    case 'waiting':
      return [
        ['herm-tools running', ...flags, "--text 'Started.'"],
        ['herm-tools complete', ...flags, '--file result.txt'],
      ]
    case 'running':
      return [['herm-tools complete', ...flags, '--file result.txt']]
    default:
      return []
  }
}

/** A command on lines of at most `width` columns where its parts are no longer, with backslashes: it can be copied as it is. */
export function commandLines(command: Command, width: number): string[] {
  const lines: string[] = []
  for (const [at, part] of command.entries()) {
    const last = lines.at(-1)
    const room = at === command.length - 1 ? width : width - CONTINUED.length
    if (last !== undefined && last.length + 1 + part.length <= room) lines[lines.length - 1] = `${last} ${part}`
    else lines.push(last === undefined ? part : `  ${part}`)
  }
  return lines.map((line, at) => (at < lines.length - 1 ? line + CONTINUED : line))
}

function word(id: string): string {
  return shellWord(oneLine(id))
}

const CONTINUED = ' \\'
