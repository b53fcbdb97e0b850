import { Command } from 'commander'
import type { Context } from '../context.ts'
import { approveCommand } from './approve.ts'
import { authCommand } from './auth.ts'
import { completeCommand } from './complete.ts'
import { completionCommand } from './completion.ts'
import { completionRequestCommand } from './completion-request.ts'
import { configCommand } from './config.ts'
import { denyCommand } from './deny.ts'
import { doctorCommand } from './doctor.ts'
import { emulatorCommand } from './emulator.ts'
import { eventsCommand } from './events.ts'
import { failCommand } from './fail.ts'
import { helpCommand, helpForWords } from './help.ts'
import { helpFormat, helpWidth } from './help-format.ts'
import { helpText } from './help-text.ts'
import { interruptCommand } from './interrupt.ts'
import { jobsCommand } from './jobs.ts'
import { messageCommand } from './message.ts'
import { parseField } from './parse-options.ts'
import { pendingCommand } from './pending.ts'
import { reconcileCommand } from './reconcile.ts'
import { runningCommand } from './running.ts'
import { schemaCommand } from './schema.ts'
import { sessionsCommand } from './sessions.ts'
import { steerCommand } from './steer.ts'
import { usageError } from './usage-error.ts'
import { waitCommand } from './wait.ts'
import { watchCommand } from './watch.ts'

/**
 * The whole command line, or what of it these words need. Declares names and flags only; what a command does is loaded when
 * it runs.
 */
export function buildProgram(context: Context, words: readonly string[] = []): Command {
  const program = new Command('herm-tools')
    .summary('see the tool sessions of Herm agents, answer their calls, and deliver each final result exactly once')
    .description(
      'See the tool sessions of Herm agents, answer their calls, and deliver each final result exactly once.\n\nNew here? herm-tools help protocol tells in a minute how a call goes.',
    )
    .version(context.version, '--version', 'print the version')
    .option('--json', 'one JSON object per line on stdout, and errors as JSON on stderr')
    .option('--field <path>', 'print this one value of each record, such as event_id or input.title', parseField)
    .option('--github', 'in GitHub Actions: also leave the records as outputs and a summary of the step')
    .option('--profile <name>', 'the profile of the config to use')
    .option('--base-url <url>', 'the address of the service')
    .option('--allow-insecure-http', 'send the key over plain http, where anybody on the way can read it')
    .option('--ca-file <path>', 'a PEM file with certificates to trust besides the usual ones')
    .option('--debug', 'say on stderr what is asked of the service')
    .option('--quiet', 'no progress and notes on stderr')
    .option('--no-color', 'no colour')
    .helpOption('-h, --help', 'show help')
    // `help` is a command of its own, since it knows topics too.
    .helpCommand(false)
    .configureHelp(helpFormat)
    // usage-error.ts makes suggestions of its own.
    .showSuggestionAfterError(false)
    .configureOutput({
      getOutHelpWidth: () => helpWidth(context.stdout),
      getErrHelpWidth: () => helpWidth(context.stderr),
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      // main says what failed, in one place and in one form.
      outputError: () => undefined,
    })
    .addHelpText('beforeAll', helpForWords)
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools auth login',
          'herm-tools watch ses_01',
          'herm-tools complete --tool-use-id custom_toolu_01 --file result.txt',
        ],
        related: ['help exit-codes', 'help files'],
      }),
    )
  for (const [heading, makers] of Object.entries(commandGroups)) {
    for (const [name, make] of Object.entries(makers)) {
      if (isNeeded(name, words)) program.addCommand(make(context).helpGroup(heading))
    }
  }
  program.addCommand(completionRequestCommand(context), { hidden: true })
  settleErrors(program)
  return program
}

/** The commands, under the headings of `--help`. */
const commandGroups: Readonly<Record<string, Readonly<Record<string, (context: Context) => Command>>>> = {
  'See a session:': {
    watch: watchCommand,
    pending: pendingCommand,
    events: eventsCommand,
    wait: waitCommand,
    sessions: sessionsCommand,
  },
  'Answer a call:': {
    running: runningCommand,
    complete: completeCommand,
    fail: failCommand,
    approve: approveCommand,
    deny: denyCommand,
    reconcile: reconcileCommand,
    jobs: jobsCommand,
  },
  'Drive a session:': { message: messageCommand, steer: steerCommand, interrupt: interruptCommand },
  'Set up:': { auth: authCommand, config: configCommand, doctor: doctorCommand, completion: completionCommand },
  'Try out and look up:': { emulator: emulatorCommand, schema: schemaCommand, help: helpCommand },
}

/**
 * A command line that begins with a command is about no other, but for `help`, and to make all of them takes as long as many
 * a command runs. Whatever else it begins with may be about any of them.
 */
function isNeeded(name: string, [first = '']: readonly string[]): boolean {
  if (first === '--version') return false
  const isAboutOne = first !== 'help' && Object.values(commandGroups).some((makers) => Object.hasOwn(makers, first))
  return !isAboutOne || name === first
}

/** This command and those below it throw what is wrong with a command line; help and version, which end with 0, are not. */
function settleErrors(command: Command): void {
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : usageError(error, command)
  })
  for (const child of command.commands) settleErrors(child.copyInheritedSettings(command).helpCommand(false))
}
