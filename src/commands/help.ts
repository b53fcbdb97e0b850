import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import type { Printable } from '../output/reporter.ts'
import { didYouMean } from './did-you-mean.ts'
import { helpText } from './help-text.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface HelpInput extends GlobalOptions {
  readonly topic: Topic
}

type Topic = keyof typeof topics

/** What `help` knows besides the commands. */
const topics = {
  'exit-codes': async () => (await import('../output/exit-codes.ts')).exitCodeTable(),
  environment: async () => (await import('../output/environment-variables.ts')).environmentTable(),
  output: async () => (await import('../output/record-types.ts')).outputHelp(),
} as const satisfies Record<string, () => Promise<Printable[]>>

export function helpCommand(context: Context, run = runHelp): Command {
  return new Command('help')
    .description(`show help for a command, or for a topic: ${Object.keys(topics).join(', ')}`)
    .argument('[words...]', 'a command, such as `auth login`, or a topic')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools help exit-codes', 'herm-tools help auth login'],
        exits: { done: 'shown', usage: 'there is no such command or topic' },
      }),
    )
    .action((words: string[], _options: unknown, self: Command) => {
      const [word] = words
      return words.length === 1 && isTopic(word)
        ? run(context, { ...self.optsWithGlobals<GlobalOptions>(), topic: word })
        : findCommand(self.parent ?? self, words).outputHelp()
    })
}

/** Prints a topic's records, or its text. */
async function runHelp(context: Context, input: HelpInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter }) => {
    for (const part of await topics[input.topic]()) reporter.print(part)
  })
}

/** The command that the words name, from the whole program on; the program itself for no words. */
function findCommand(program: Command, words: readonly string[]): Command {
  return words.reduce((command, word) => {
    const found = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
    if (found !== undefined) return found
    const known = command.commands.map((one) => one.name())
    const question = didYouMean(word, command === program ? [...known, ...Object.keys(topics)] : known)
    throw new HermError('usage', `there is no help for "${words.join(' ')}"`, {
      hint: question ?? 'See herm-tools --help.',
    })
  }, program)
}

function isTopic(word: string | undefined): word is Topic {
  return word !== undefined && Object.hasOwn(topics, word)
}
