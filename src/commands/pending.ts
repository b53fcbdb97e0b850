import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { helpText, sessionExits } from './help-text.ts'
import { sessionAction } from './session-action.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface PendingInput extends GlobalOptions {
  readonly session?: string | undefined
  readonly exitCode?: boolean
  readonly expired?: boolean
}

export function pendingCommand(context: Context, run = runPending): Command {
  return new Command('pending')
    .description('list the calls of a session that wait for an answer, an approval or a final')
    .summary('list the calls to answer, to approve or to finish')
    .argument('[session]', 'the session (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'the session')
    .option('--expired', 'also calls whose turn went on, or ended, without an answer: a final still reaches the agent')
    .option('--exit-code', 'exit 1 when there are any; expired calls do not count')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools pending ses_01', 'herm-tools pending --json', 'herm-tools pending --exit-code --quiet'],
        exits: {
          ...sessionExits,
          done: 'the list was printed, be it empty',
          failed: 'there are such calls that did not expire (with --exit-code)',
        },
        related: ['watch', 'running', 'complete'],
      }),
    )
    .action(sessionAction(context, run))
}

/** Prints one record a call. Throws `failed` with `--exit-code` when there are any that did not expire. */
async function runPending(context: Context, input: PendingInput): Promise<void> {
  await inWorkspace(context, input, async (workspace) => {
    const { reporter } = workspace
    const [{ readSessionState }, { rememberCalls }, { isExpired, isOwed, pendingRecord }] = await Promise.all([
      import('../session/read-history.ts'),
      import('../session/remember-calls.ts'),
      import('../output/pending-record.ts'),
    ])
    const client = await workspace.client()
    const sessionId = await workspace.session()
    const state = await readSessionState({ client, sessionId, signal: context.signal })
    const calls = [...state.calls.values()]
    const owed = calls.filter(isOwed)
    const expired = calls.filter(isExpired)
    const listed = input.expired ? [...owed, ...expired] : owed
    for (const call of listed) reporter.print(pendingRecord(call, { sessionId, now: client.serviceNow() }))
    await rememberCalls(listed, {
      journal: await workspace.journal(),
      session: { baseUrl: (await workspace.settings()).baseUrl.value, sessionId },
      onFailure: (message) => reporter.warn(message),
    })
    if (owed.length === 0) reporter.note(`session ${sessionId} has no call to answer, to approve or to finish`)
    if (listed === owed && expired.length > 0) reporter.note(expiredNote(expired.length, sessionId))
    if (owed.length > 0 && input.exitCode)
      throw new HermError('failed', `${owed.length === 1 ? '1 call is' : `${owed.length} calls are`} not done`)
  })
}

function expiredNote(count: number, sessionId: string): string {
  return `expired calls that are not listed: ${count}; a final still reaches the agent: \`herm-tools pending ${shellWord(sessionId)} --expired\` lists them`
}
