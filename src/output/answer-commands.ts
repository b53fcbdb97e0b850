import stringWidth from 'fast-string-width'
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

/**
 * A command on indented lines of at most `width` columns, with backslashes: it can be copied as it is. A word that is longer
 * than a line goes on at the very beginning of the next one, where a shell takes it for the same word.
 */
export function commandLines(command: Command, width: number): string[] {
  const lines: string[] = []
  const room = width - CONTINUED.length
  const pieces = command.flatMap((part) => (stringWidth(below(part)) <= room ? [part] : flagAndValue(part)))
  for (const [at, piece] of pieces.entries()) {
    const last = lines.pop()
    const beside = last === undefined ? `${INDENT}${piece}` : `${last} ${piece}`
    if (stringWidth(beside) <= (at === pieces.length - 1 ? width : room)) lines.push(beside)
    else if (last === undefined) lines.push(...tornLines(beside, room))
    else lines.push(last + CONTINUED, ...tornLines(below(piece), room))
  }
  return lines
}

function below(piece: string): string {
  return `${INDENT}${INDENT}${piece}`
}

function flagAndValue(part: string): string[] {
  return part.split(/ (.*)/s, 2)
}

/** Shell text on lines of at most `width` columns, each but the last with a backslash that makes it one with the next. */
function tornLines(text: string, width: number): string[] {
  if (stringWidth(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  let isQuoted = false
  for (const [sign] of text.matchAll(SHELL_SIGNS)) {
    const end = isQuoted ? "'\\" : '\\'
    if (stringWidth(line + sign + end) > width && line.trim() !== '') {
      lines.push(line + end)
      line = isQuoted ? "'" : ''
    }
    line += sign
    if (sign === "'") isQuoted = !isQuoted
  }
  return [...lines, line]
}

function word(id: string): string {
  return shellWord(oneLine(id))
}

const INDENT = '  '
const CONTINUED = ' \\'
/** What must not be torn: a quote within quotes as shellWord writes it, and any other character. */
const SHELL_SIGNS = /'\\''|./gsu
