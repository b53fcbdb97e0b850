import type { Argument, Command, Option } from 'commander'
import { oneLine } from '../output/visible-text.ts'
import { findChild, flagWithValue, type Position, positionAfter, visibleOptions } from './completion-position.ts'
import { topicNames } from './help-topics.ts'

/** A word that may come next, and what it means, where there is something to say. */
export interface Candidate {
  readonly value: string
  readonly meaning?: string | undefined
}

/** `files` where the shell is to offer the names of files. */
export type Candidates = 'files' | readonly Candidate[]

/** What may stand for a value; `name` is a flag, such as `--session`, or an argument, such as `<session>`. */
export type ValuesOf = (name: string, position: Position) => Promise<Candidates>

/** The words behind `herm-tools` before the cursor, and what is typed of the one at it. */
export interface Typed {
  readonly before: readonly string[]
  readonly current: string
}

/** The lines of the answer to a completion script, as completion-request.ts describes them. Rejects as `valuesOf` does. */
export async function candidateLines(
  program: Command,
  { before, current }: Typed,
  valuesOf: ValuesOf,
): Promise<string[]> {
  const position = positionAfter(before, program)
  const { command, operands, expects, isLiteral } = position
  const [flag = '', value] = current.split('=', 2)
  const begun = isLiteral || value === undefined ? undefined : flagWithValue(command, flag)
  if (expects !== undefined) return lines(await values(expects))
  if (begun !== undefined) return lines(await values(begun), `${flag}=`)
  if (current.startsWith('-') && !isLiteral) return lines(flags(command))
  if (command.commands.length > 0) return lines(subcommands(command))
  if (command.name() === 'help') return lines(helpWords(program, operands))
  const argument = argumentAt(command, operands.length)
  const candidates = argument === undefined ? [] : await values(argument)
  return lines(candidates.length > 0 || isLiteral ? candidates : flags(command))

  async function values(taker: Option | Argument): Promise<Candidates> {
    const name = 'long' in taker ? (taker.long ?? '') : `<${taker.name()}>`
    const found = taker.argChoices?.map(asCandidate) ?? (await valuesOf(name, position))
    // An id may be any text: none is offered that would be read as a flag.
    return found === 'files' ? found : found.filter((one) => !one.value.startsWith('-'))
  }
}

function argumentAt({ registeredArguments }: Command, at: number): Argument | undefined {
  const last = registeredArguments.at(-1)
  return registeredArguments[at] ?? (last?.variadic ? last : undefined)
}

function flags(command: Command): Candidate[] {
  return visibleOptions(command).map(({ long, description }) => ({ value: long ?? '', meaning: description }))
}

function subcommands(command: Command): Candidate[] {
  const help = command.createHelp()
  return help.visibleCommands(command).flatMap((child) => {
    const meaning = help.subcommandDescription(child)
    return [child.name(), ...child.aliases()].map((value) => ({ value, meaning }))
  })
}

function helpWords(program: Command, words: readonly string[]): Candidate[] {
  const command = words.reduce<Command | undefined>((found, word) => found && findChild(found, word), program)
  if (command === undefined) return []
  return [...subcommands(command), ...(command === program ? topicNames.map(asCandidate) : [])]
}

function asCandidate(value: string): Candidate {
  return { value }
}

function lines(candidates: Candidates, prefix = ''): string[] {
  if (candidates === 'files') return ['files']
  const shown = candidates.filter(({ value }) => isTypeable(value))
  return ['words', ...shown.map(({ value, meaning = '' }) => `${prefix}${value}\t${oneLine(meaning)}`)]
}

/** Whether it fits on a line, hides nothing, and is no text of a thousand words. */
function isTypeable(value: string): boolean {
  return value !== '' && value === oneLine(value) && value.length <= MAX_CHARACTERS
}

/** Longer than any name that somebody gives. */
const MAX_CHARACTERS = 200
