import { Command, type CommanderError } from 'commander'
import type { Context } from '../context.ts'
import { authCommand } from './auth.ts'
import { completeCommand } from './complete.ts'
import { configCommand } from './config.ts'
import { emulatorCommand } from './emulator.ts'
import { eventsCommand } from './events.ts'
import { failCommand } from './fail.ts'
import { helpCommand } from './help.ts'
import { jobsCommand } from './jobs.ts'
import { messageCommand } from './message.ts'
import { pendingCommand } from './pending.ts'
import { reconcileCommand } from './reconcile.ts'
import { runningCommand } from './running.ts'
import { sessionsCommand } from './sessions.ts'
import { usageError } from './usage-error.ts'
import { waitCommand } from './wait.ts'
import { watchCommand } from './watch.ts'

/** The whole command line. Declares names and flags only; what a command does is loaded when it runs. */
export function buildProgram(context: Context): Command {
  const program = new Command('herm-tools')
    .description(
      'See the tool sessions of Herm agents, answer their calls, and deliver each final result exactly once.',
    )
    .version(context.version, '--version', 'print the version')
    .option('--json', 'one JSON object per line on stdout, and errors as JSON on stderr')
    .option('--profile <name>', 'the profile of the config to use')
    .option('--base-url <url>', 'the address of the service')
    .option('--allow-insecure-http', 'send the key over plain http, where anybody on the way can read it')
    .option('--debug', 'say on stderr what is asked of the service')
    .option('--quiet', 'no progress and notes on stderr')
    .option('--no-color', 'no colour')
    .helpOption('-h, --help', 'show help')
    // `help` is a command of its own, since it knows topics too.
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, subcommandTerm: nameAndAliases })
    .showSuggestionAfterError()
    .exitOverride(throwAs('herm-tools'))
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      // main says what failed, in one place and in one form.
      outputError: () => undefined,
    })
  for (const command of commands(context)) program.addCommand(command)
  inheritSettings(program, 'herm-tools')
  return program
}

/** In a list of commands, their arguments say little and take much room. */
function nameAndAliases(command: Command): string {
  return [command.name(), ...command.aliases()].join(', ')
}

function inheritSettings(command: Command, path: string): void {
  for (const child of command.commands) {
    const childPath = `${path} ${child.name()}`
    child.copyInheritedSettings(command).helpCommand(false).exitOverride(throwAs(childPath))
    inheritSettings(child, childPath)
  }
}

/** Help and version end with 0, and are no error. */
function throwAs(path: string): (error: CommanderError) => never {
  return (error) => {
    throw error.exitCode === 0 ? error : usageError(error, path)
  }
}

function commands(context: Context): Command[] {
  return [
    watchCommand,
    pendingCommand,
    eventsCommand,
    runningCommand,
    completeCommand,
    failCommand,
    waitCommand,
    reconcileCommand,
    messageCommand,
    sessionsCommand,
    jobsCommand,
    authCommand,
    configCommand,
    emulatorCommand,
    helpCommand,
  ].map((command) => command(context))
}
