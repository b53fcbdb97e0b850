import { Command } from 'commander'
import type { Context } from '../context.ts'
import type { SettingFlags } from '../store/settings.ts'
import { helpText, sessionExits } from './help-text.ts'
import { sendAndPrint } from './send-and-print.ts'
import { sessionAction } from './session-action.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface InterruptInput extends GlobalOptions, Pick<SettingFlags, 'session'> {
  readonly message?: string
}

export function interruptCommand(context: Context, run = runInterrupt): Command {
  return new Command('interrupt')
    .description('end the turn that runs, whatever it waits for')
    .argument('[session]', 'the session (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'the session')
    .option('--message <text>', 'why, for the agent')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools interrupt ses_01', 'herm-tools interrupt --message "The film was withdrawn."'],
        exits: {
          ...sessionExits,
          done: 'it is accepted',
          unknown: 'it may have been accepted; look before you send it again',
          rejected: 'refused by the service, most likely since no turn is running',
        },
        related: ['steer', 'wait', 'pending'],
      }),
    )
    .action(sessionAction(context, run))
}

/** Prints one `herm_tools.interrupt`. Throws what the service refused, and `unknown` when its answer was lost. */
async function runInterrupt(context: Context, input: InterruptInput): Promise<void> {
  await inWorkspace(context, input, async (workspace) => {
    const { userInterrupt } = await import('../protocol/user-events.ts')
    await sendAndPrint(workspace, userInterrupt(input.message))
  })
}
