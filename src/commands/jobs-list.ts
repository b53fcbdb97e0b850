import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { helpText } from './help-text.ts'
import { unreadableHint } from './unreadable-hint.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface JobsListInput extends GlobalOptions {
  readonly session?: string | undefined
  readonly open?: boolean
}

export function jobsListCommand(context: Context, run = runJobsList): Command {
  return new Command('list')
    .description('list the calls in the journal, the last changed at the end')
    .summary('list the calls in the journal, the last changed last')
    .option('--session <id>', 'only those of this session')
    .option('--open', 'only those without a final, or with a result in doubt')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools jobs list', 'herm-tools jobs list --open --json | jq -r .tool_use_id'],
        exits: { done: 'listed, or there are none', failed: 'an entry could not be read; the others are listed' },
        related: ['jobs show', 'reconcile', 'pending'],
      }),
    )
    .action((_options: unknown, self: Command) => run(context, self.optsWithGlobals<JobsListInput>()))
}

/** Prints one `herm_tools.job` for each call. Throws `failed` at the end when there were entries that cannot be read. */
async function runJobsList(context: Context, input: JobsListInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, journal }) => {
    const [{ isOpen, isWithin }, { describeProblem, jobTable }] = await Promise.all([
      import('../store/which-entries.ts'),
      import('../output/describe-job.ts'),
    ])
    const { entries, problems } = await (await journal()).list()
    const scope = { sessionId: input.session, baseUrl: input.baseUrl }
    const shown = entries.filter((entry) => isWithin(entry, scope) && (!input.open || isOpen(entry)))
    for (const row of jobTable(shown)) reporter.print(row)
    if (shown.length === 0) reporter.note('no such calls in the journal')
    for (const problem of problems) reporter.warn(describeProblem(problem))
    if (problems.length > 0) {
      throw new HermError('failed', `${problems.length} of the journal's entries cannot be read`, {
        hint: unreadableHint(),
      })
    }
  })
}
