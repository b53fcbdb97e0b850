import { Command } from 'commander'
import type { Context } from '../context.ts'
import { helpText } from './help-text.ts'
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
        exits: { done: 'shown', auth: 'no key, or it was refused', not_found: 'no such session' },
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
