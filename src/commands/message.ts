import { Command } from 'commander'
import type { Context } from '../context.ts'
import type { SettingFlags } from '../store/settings.ts'
import { helpText } from './help-text.ts'
import { readResultText, type TextSource } from './result-text.ts'
import { sessionAction } from './session-action.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface MessageInput extends GlobalOptions, TextSource, Pick<SettingFlags, 'session'> {
  readonly truncate?: boolean
}

export function messageCommand(context: Context, run = runMessage): Command {
  return new Command('message')
    .description('send a message to an idle session, which starts a turn')
    .argument('[session]', 'the session (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'the session')
    .option('--text <string>', 'the text of the message')
    .option('--file <path>', 'read the text from a file, or from standard input with -')
    .option('--truncate', 'cut a text that is too long')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools message ses_01 --text "Render the intro."', 'herm-tools message --file request.txt'],
        exits: {
          done: 'the message is accepted',
          usage: 'the text or an option is wrong; nothing was sent',
          unknown: 'it may have been accepted; look before you send it again',
          rejected: 'a turn is running',
        },
        related: ['watch', 'wait'],
      }),
    )
    .action(sessionAction(context, run))
}

/** Prints one `herm_tools.message`. Throws what the service refused, and `unknown` when its answer was lost. */
async function runMessage(context: Context, input: MessageInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, client, session }) => {
    const [{ textBlocks }, { userMessage }, { sendMessage }, { oneLine }] = await Promise.all([
      import('../protocol/result-text.ts'),
      import('../protocol/user-events.ts'),
      import('../session/send-message.ts'),
      import('../output/visible-text.ts'),
    ])
    const content = textBlocks(await readResultText(input, context), { truncate: input.truncate ?? false })
    const sessionId = await session()
    const eventId = await sendMessage({
      client: await client(),
      sessionId,
      message: userMessage(content),
      signal: context.signal,
    })
    reporter.print({
      json: { type: 'herm_tools.message', outcome: 'accepted', session_id: sessionId, event_id: eventId ?? null },
      text: (style) =>
        `${style.green('accepted')}: message to ${oneLine(sessionId)}${eventId === undefined ? '' : ` as ${oneLine(eventId)}`}`,
    })
  })
}
