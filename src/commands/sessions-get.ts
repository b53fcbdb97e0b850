import { Command } from 'commander'
import type { Context } from '../context.ts'
import { helpText, sessionExits } from './help-text.ts'
import { sessionAction } from './session-action.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface SessionsGetInput extends GlobalOptions {
  readonly session?: string | undefined
}

export function sessionsGetCommand(context: Context, run = runSessionsGet): Command {
  return new Command('get')
    .description('show one session')
    .argument('[session]', 'the session (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'the session')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools sessions get ses_01', 'herm-tools sessions get ses_01 --json | jq .status'],
        exits: { ...sessionExits, done: 'shown' },
        related: ['sessions list', 'events', 'pending'],
      }),
    )
    .action(sessionAction(context, run))
}

/** Prints the session as the service wrote it. */
async function runSessionsGet(context: Context, input: SessionsGetInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, client, session }) => {
    const { describeSession } = await import('../output/describe-sessions.ts')
    const sessionId = await session()
    reporter.print(describeSession(await (await client()).getSession(sessionId, { signal: context.signal })))
  })
}
