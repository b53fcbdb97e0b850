import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import type { SettingFlags } from '../store/settings.ts'
import { helpText, sessionExits } from './help-text.ts'
import { readText, type TextSource } from './read-text.ts'
import { sendAndPrint } from './send-and-print.ts'
import { sessionAction } from './session-action.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface SteerInput extends GlobalOptions, TextSource, Pick<SettingFlags, 'session'> {}

export function steerCommand(context: Context, run = runSteer): Command {
  return new Command('steer')
    .description('tell the agent something while its turn runs')
    .argument('[session]', 'the session (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'the session')
    .option('--text <string>', 'what to tell it')
    .option('--file <path>', 'read the text from a file, or from standard input with -')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools steer ses_01 --text "Keep it under a minute."', 'herm-tools steer --file notes.txt'],
        exits: {
          ...sessionExits,
          done: 'it is accepted',
          usage: 'the text or an option is wrong; nothing was sent',
          unknown: 'it may have been accepted; look before you send it again',
          rejected: 'refused by the service, most likely since no turn is running',
        },
        related: ['message', 'interrupt', 'watch'],
      }),
    )
    .action(sessionAction(context, run))
}

/** Prints one `herm_tools.steer`. Throws what the service refused, and `unknown` when its answer was lost. */
async function runSteer(context: Context, input: SteerInput): Promise<void> {
  await inWorkspace(context, input, async (workspace) => {
    const { userSteer } = await import('../protocol/user-events.ts')
    const text = await readText(input, context)
    if (text.trim() === '') {
      throw new HermError('usage', 'the text is empty', { hint: 'Give some text with --text or --file.' })
    }
    await sendAndPrint(workspace, userSteer(text))
  })
}
