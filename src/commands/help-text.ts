import { type ErrorKind, errorKinds } from '../errors.ts'

/** What the end of a command's `--help` says. */
export interface HelpText {
  /** Whole command lines that work as they stand, ids aside. */
  readonly examples: readonly string[]
  /** The command's own ways to end, each in its own words; `done` is exit code 0. */
  readonly exits: Readonly<Partial<Record<'done' | ErrorKind, string>>>
  /** Commands that a reader may want next, without `herm-tools`. */
  readonly related?: readonly string[]
}

/** The text for `addHelpText('after', …)`: examples, exit codes and related commands, alike in every command. */
export function helpText({ examples, exits, related = [] }: HelpText): string {
  return [
    ['Examples:', ...examples.map((example) => `  $ ${example}`)],
    ['Exit codes (all of them: herm-tools help exit-codes):', ...exitLines(exits)],
    related.length === 0 ? [] : [`See also: ${related.map((name) => `herm-tools ${name}`).join(', ')}`],
  ]
    .filter((part) => part.length > 0)
    .map((part) => `\n${part.join('\n')}`)
    .join('\n')
}

function exitLines(exits: HelpText['exits']): string[] {
  return (Object.entries(exits) as [keyof typeof exits, string][])
    .map(([end, words]) => ({ code: end === 'done' ? 0 : errorKinds[end].exitCode, words }))
    .sort((a, b) => a.code - b.code)
    .map(({ code, words }) => `  ${String(code).padEnd(3)} ${words}`)
}
