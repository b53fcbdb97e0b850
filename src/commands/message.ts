import { Command } from 'commander'
import type { Context } from '../context.ts'
import type { SettingFlags } from '../store/settings.ts'
import { helpText, sessionExits } from './help-text.ts'
import { readText, type TextSource } from './read-text.ts'
import { sendAndPrint } from './send-and-print.ts'
import { sessionAction } from './session-action.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface MessageInput extends GlobalOptions, TextSource, Pick<SettingFlags, 'session' | 'timeout' | 'settle'> {
  readonly truncate?: boolean
  readonly wait?: boolean
}

export function messageCommand(context: Context, run = runMessage): Command {
  return new Command('message')
    .description('send a message to an idle session, which starts a turn')
    .argument('[session]', 'the session (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'the session')
    .option('--text <string>', 'the text of the message')
    .option('--file <path>', 'read the text from a file, or from standard input with -')
    .option('--truncate', 'cut a text that is too long')
    .option('--wait', 'wait until the turn that it starts is over, and print what the agent says in it')
    .option('--timeout <duration>', 'with --wait: give up after this long, such as 30s, 10m or 2h (default: 10m)')
    .option('--settle <duration>', 'with --wait: how long to look for a message whose answer was lost (default: 30s)')
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools message ses_01 --text "Render the intro."',
          'herm-tools message --file request.txt',
          'herm-tools message --text "How far is it?" --wait --timeout 2m',
        ],
        exits: {
          ...sessionExits,
          done: 'the message is accepted; with --wait, its turn ended well',
          failed: 'its turn ended in an error, with --wait',
          usage: 'the text or an option is wrong; nothing was sent',
          unknown: 'it may have been accepted; look before you send it again',
          rejected: 'it was refused, as while a turn is running; nothing was sent',
          timeout: 'it is accepted, and its turn was not over in time, with --wait',
        },
        related: ['watch', 'wait', 'steer', 'interrupt'],
      }),
    )
    .action(sessionAction(context, run))
}

/**
 * Prints one `herm_tools.message`, and with `--wait` a `herm_tools.reply` once the turn is over. Throws what the service
 * refused, `unknown` when its answer was lost, and with `--wait` `timeout`, and `failed` for a turn that ended in an error.
 */
async function runMessage(context: Context, input: MessageInput): Promise<void> {
  await inWorkspace(context, input, async (workspace) => {
    const [{ textBlocks }, { userMessage }] = await Promise.all([
      import('../protocol/text-blocks.ts'),
      import('../protocol/user-events.ts'),
    ])
    const content = textBlocks(await readText(input, context), { truncate: input.truncate ?? false })
    if (input.wait) {
      const { printReply } = await import('./print-reply.ts')
      await printReply(workspace, userMessage(content))
    } else {
      await sendAndPrint(workspace, userMessage(content))
    }
  })
}
