import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { helpText } from './help-text.ts'
import { sessionAction } from './session-action.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface PendingInput extends GlobalOptions {
  readonly session?: string | undefined
  readonly exitCode?: boolean
}

export function pendingCommand(context: Context, run = runPending): Command {
  return new Command('pending')
    .description('list the calls of a session that wait for an answer, an approval or a final')
    .summary('list the calls that are owed something')
    .argument('[session]', 'the session (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'the session')
    .option('--exit-code', 'exit 1 when there are any')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools pending ses_01', 'herm-tools pending --json', 'herm-tools pending --exit-code --quiet'],
        exits: {
          done: 'the list was printed, be it empty',
          failed: 'there are such calls (with --exit-code)',
          not_found: 'there is no such session',
        },
        related: ['watch', 'running', 'complete'],
      }),
    )
    .action(sessionAction(context, run))
}

/** Prints one record a call. Throws `failed` with `--exit-code` when there are any. */
async function runPending(context: Context, input: PendingInput): Promise<void> {
  await inWorkspace(context, input, async (workspace) => {
    const { reporter } = workspace
    const [{ readSessionState }, { rememberCalls }, { isOwed, pendingRecord }] = await Promise.all([
      import('../session/read-history.ts'),
      import('../session/remember-calls.ts'),
      import('../output/pending-record.ts'),
    ])
    const client = await workspace.client()
    const sessionId = await workspace.session(input.session)
    const state = await readSessionState({ client, sessionId, signal: context.signal })
    const owed = [...state.calls.values()].filter(isOwed)
    for (const call of owed) reporter.print(pendingRecord(call, { sessionId, now: client.serviceNow() }))
    await rememberCalls(owed, {
      journal: await workspace.journal(),
      session: { baseUrl: (await workspace.settings()).baseUrl.value, sessionId },
      onFailure: (message) => reporter.warn(message),
    })
    if (owed.length === 0) reporter.note(`session ${sessionId} has no call that is owed an answer`)
    else if (input.exitCode) throw new HermError('failed', `${owed.length} call(s) are owed an answer`)
  })
}
