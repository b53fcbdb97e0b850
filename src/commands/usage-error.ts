import type { Command, CommanderError } from 'commander'
import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { didYouMean, nearest, question } from './did-you-mean.ts'
import { isTopic } from './help-topics.ts'

/** What commander found wrong with the command line of this command, as an error of ours that says what to type next. */
export function usageError(error: CommanderError, command: Command): HermError {
  const known = explanations[error.code]?.(command, firstLine(error)) ?? {}
  const { message = firstLine(error), hint = `See ${pathOf(command)} --help.` } = known
  return new HermError('usage', message, { hint })
}

interface Explanation {
  /** In place of commander's own. */
  readonly message?: string | undefined
  readonly hint?: string | undefined
}

/** By commander's code for what is wrong; where there is none, commander's own words and a pointer to the help must do. */
const explanations: Readonly<Record<string, (command: Command, message: string) => Explanation>> = {
  'commander.help': () => ({ message: 'a command is missing' }),
  'commander.unknownCommand': (command) => ({ hint: question(commandsLike(command.args[0] ?? '', command)) }),
  'commander.unknownOption': (command) => ({ hint: question(flagsLike(command)) }),
  'commander.excessArguments': excessArguments,
  'commander.invalidArgument': (_command, message) => invalidChoice(message),
}

function firstLine({ message }: CommanderError): string {
  return message.replace(/^error: /, '').split('\n')[0] ?? ''
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

/** What the user may have meant: the same word in another place, as `login` and `version` are; else a word that is like it. */
function commandsLike(word: string, command: Command): readonly string[] {
  const path = pathOf(command)
  const elsewhere = [
    ...(optionNames(command).includes(`--${word}`) ? [`${path} --${word}`] : []),
    ...(isTopic(word) ? [`herm-tools help ${word}`] : []),
    ...command.commands
      .filter((group) => group.commands.some((child) => child.name() === word))
      .map((group) => `${path} ${group.name()} ${word}`),
  ]
  if (elsewhere.length > 0) return elsewhere
  const visible = command.createHelp().visibleCommands(command)
  return nearest(
    word,
    visible.flatMap((child) => [child.name(), ...child.aliases()]),
  )
}

/** Also for a flag as other programs spell it: --toolUseId, --tool_use_id. */
function flagsLike(command: Command): readonly string[] {
  const [typed = ''] = command.args.find((word) => /^-./.test(word))?.split('=') ?? []
  const wanted = typed
    .replace(/([a-z])(?=[A-Z])/g, '$1-')
    .replaceAll('_', '-')
    .toLowerCase()
  const bare = (flag: string) => flag.replace(/^-+/, '')
  return nearest(bare(wanted), optionNames(command).map(bare)).map((name) => `--${name}`)
}

/** Of a command and of those above it. */
function optionNames(command: Command): string[] {
  const names = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? [])
  return command.parent === null ? names : [...names, ...optionNames(command.parent)]
}

/** The id of a call that stands alone, as `jobs show` takes it. */
function excessArguments(command: Command): Explanation {
  const extra = command.args[command.registeredArguments.length]
  const takesCall =
    command.options.some(({ long }) => long === '--tool-use-id') && command.opts().toolUseId === undefined
  return extra !== undefined && takesCall ? { hint: `Write ${pathOf(command)} --tool-use-id ${shellWord(extra)}.` } : {}
}

function invalidChoice(message: string): Explanation {
  const [, what, value = '', list = ''] =
    /^(.*'([^']*)' is invalid.*?)\. Allowed choices are (.*)\.$/.exec(message) ?? []
  if (what === undefined) return {}
  const choices = list.split(', ')
  return { message: what, hint: [didYouMean(value, choices), `Choose from ${list}.`].filter(Boolean).join(' ') }
}
