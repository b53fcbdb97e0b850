import type { Command } from 'commander'
import { type ErrorKind, errorKinds } from '../errors.ts'

/** What the end of a command's `--help` says. */
export interface HelpText {
  /** Whole command lines that work as they stand, ids aside. */
  readonly examples: readonly string[]
  /** The command's own ways to end, each in its own words; `done` is exit code 0. A group of commands has none. */
  readonly exits?: Readonly<Partial<Record<'done' | ErrorKind, string>>>
  /** Commands and topics that a reader may want next, without `herm-tools`. */
  readonly related?: readonly string[]
}

/** How every command may end that asks the service, where it has no words of its own for it. */
export const serviceExits = {
  auth: 'no key, or it was refused',
  unreachable: 'the service could not be reached',
} as const

/** And every one that asks for a session. */
export const sessionExits = { ...serviceExits, not_found: 'there is no such session' } as const

/** The text for `addHelpText('after', …)`: examples, exit codes and related commands, alike in every command. */
export function helpText({ examples, exits = {}, related = [] }: HelpText): (context: { command: Command }) => string {
  return ({ command }) => {
    const helper = command.createHelp()
    const helpWidth = command.configureOutput().getOutHelpWidth?.() ?? 80
    helper.prepareContext({ helpWidth })
    const sections = [
      ['Examples:', ...examples.map((example) => commandLine(example, helpWidth))],
      [
        helper.boxWrap('Exit codes (all of them: herm-tools help exit-codes):', helpWidth),
        ...exitRows(exits).map(({ code, words }) => helper.formatItem(code, CODE_WIDTH, words, helper)),
      ],
      [
        helper.boxWrap('Options of every command (herm-tools --help explains them):', helpWidth),
        ...listed(
          helper.visibleGlobalOptions(command).map(({ long }) => long ?? ''),
          helpWidth,
        ),
      ],
      [
        'See also:',
        ...listed(
          related.map((name) => `herm-tools ${name}`),
          helpWidth,
        ),
      ],
    ]
    return sections
      .filter((lines) => lines.length > 1)
      .map((lines) => `\n${lines.join('\n')}`)
      .join('\n')
  }
}

/** Of the longest exit code. */
const CODE_WIDTH = 3

function exitRows(exits: NonNullable<HelpText['exits']>): { code: string; words: string }[] {
  return (Object.entries(exits) as [keyof typeof exits, string][])
    .map(([end, words]) => ({ code: end === 'done' ? 0 : errorKinds[end].exitCode, words }))
    .sort((a, b) => a.code - b.code)
    .map(({ code, words }) => ({ code: String(code), words }))
}

/** A command that is too long goes on behind a backslash, before a flag or a pipe: it can be copied as it stands. */
function commandLine(example: string, width: number): string {
  const lines = filled(example.split(/ (?=--|\|)/), width - '  $     \\'.length)
  return `  $ ${lines.join(' \\\n      ')}`
}

/** The words on as few lines as there must be; a word that is longer has a line of its own. */
function filled(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  return lines
}

/** Lines of names with commas between them, indented. */
function listed(names: readonly string[], width: number): string[] {
  const words = names.map((name, at) => (at === names.length - 1 ? name : `${name},`))
  return filled(words, width - 2).map((line) => `  ${line}`)
}
