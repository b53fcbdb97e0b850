import { Command, CommanderError } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { nearest, question } from './did-you-mean.ts'
import { helpWidth } from './help-format.ts'
import { helpText } from './help-text.ts'
import { isTopic, type Topic, topicNames, topics } from './help-topics.ts'
import { usageError } from './usage-error.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface HelpInput extends GlobalOptions {
  readonly topic: Topic
}

export function helpCommand(context: Context, run = runHelp): Command {
  return new Command('help')
    .description(`show help for a command, or for a topic: ${topicNames.join(', ')}`)
    .summary('show help for a command or a topic')
    .argument('[words...]', 'a command, such as `auth login`, or a topic')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools help auth login', 'herm-tools help exit-codes', 'herm-tools help files --json'],
        exits: { done: 'shown', usage: 'there is no such command or topic' },
        related: ['schema', 'emulator'],
      }),
    )
    .action((words: string[], _options: unknown, self: Command) => {
      const [word] = words
      return words.length === 1 && isTopic(word)
        ? run(context, { ...self.optsWithGlobals<GlobalOptions>(), topic: word })
        : findCommand(self.parent ?? self, words).outputHelp()
    })
}

/**
 * For `addHelpText('beforeAll', …)` of the program: shows the help of watch for `herm-tools --help watch`, which commander
 * would answer with that of the program. Throws `usage` where there is no such command, as for `herm-tools wach --help`, and
 * where the help would stand beside an error that is to be JSON.
 */
export function helpForWords({ command, error }: { command: Command; error: boolean }): string {
  const isJson = command.optsWithGlobals<GlobalOptions>().json ?? false
  if (error && isJson) throw usageError(new CommanderError(1, 'commander.help', ''), command)
  const isAsked = command.args.some((word) => word === '--help' || word === '-h')
  const words = isAsked ? command.args.filter((word) => !word.startsWith('-')) : []
  const meant = findCommand(command, words)
  if (meant === command) return ''
  meant.outputHelp()
  throw new CommanderError(0, 'commander.helpDisplayed', '')
}

/** Prints a topic's records, or its text. */
async function runHelp(context: Context, input: HelpInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter }) => {
    for (const part of await topics[input.topic](helpWidth(context.stdout), context)) reporter.print(part)
  })
}

/** The command that the words name, from the given one on, which it is itself for no words. What follows a command's name is passed over. */
function findCommand(program: Command, words: readonly string[]): Command {
  let command = program
  for (const word of words) {
    if (command.commands.length === 0) break
    const found = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
    if (found === undefined) throw noHelp(word, { words, command, isProgram: command.parent === null })
    command = found
  }
  return command
}

function noHelp(
  word: string,
  { words, command, isProgram }: { words: readonly string[]; command: Command; isProgram: boolean },
): HermError {
  const path = `herm-tools help ${isProgram ? '' : `${command.name()} `}`
  const known = command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name())
  const found = nearest(word, isProgram ? [...known, ...topicNames] : known)
  const topics = isProgram ? `The topics are ${topicNames.join(', ')}; herm-tools --help lists the commands.` : ''
  const hints = [question(found.map((name) => path + name)), topics]
  return new HermError('usage', `there is no help for "${words.join(' ')}"`, {
    hint: hints.filter(Boolean).join(' ') || `See herm-tools ${command.name()} --help.`,
  })
}
