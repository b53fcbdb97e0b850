import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { helpText } from './help-text.ts'
import { type GlobalOptions, inWorkspace, type Workspace } from './workspace.ts'

export interface JobsForgetInput extends GlobalOptions {
  /** Left out with `all`. */
  readonly toolUseId?: string | undefined
  readonly session?: string | undefined
  readonly all?: boolean
  readonly force?: boolean
}

export function jobsForgetCommand(context: Context, run = runJobsForget): Command {
  return new Command('forget')
    .description(
      'remove one call from the journal, or all of a session or service; history at the service stays as it is',
    )
    .summary('remove calls from the journal')
    .argument('[tool-use-id]', 'the call')
    .option('--session <id>', 'its session, where the id is known in several; with --all, that of the calls')
    .option('--all', 'every call of the --session or --base-url that is named; what may still matter is kept')
    .option('--force', 'also without a final, with a result in doubt, or when the entry cannot be read')
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools jobs forget custom_toolu_01',
          'herm-tools jobs forget custom_toolu_01 --force',
          'herm-tools jobs forget --all --base-url http://127.0.0.1:8787',
        ],
        exits: {
          done: 'forgotten, or kept aside when it could not be read',
          failed: 'it may still matter, or some of all may; --force forgets it all the same',
          usage: 'the id is known in several sessions; or neither a call is named nor whose calls --all are meant',
          not_found: 'the journal has no such call',
          timeout: 'a delivery of this call is going on',
        },
        related: ['jobs show', 'reconcile'],
      }),
    )
    .action((toolUseId: string | undefined, _options: unknown, self: Command) =>
      run(context, { ...self.optsWithGlobals<Omit<JobsForgetInput, 'toolUseId'>>(), toolUseId }),
    )
}

/**
 * Prints `herm_tools.job_forgotten` for each call that is gone, and a `herm_tools.job_kept_aside` for each unreadable entry.
 * Throws as forgetJob does; with `--all` `failed` when calls were kept, and `usage` when nothing says whose are meant.
 */
async function runJobsForget(context: Context, input: JobsForgetInput): Promise<void> {
  const { toolUseId, all = false } = input
  if (all === (toolUseId !== undefined)) {
    throw new HermError('usage', all ? 'a call is named, and --all is given' : 'no call is named', {
      hint: 'Name one, or take --all with --session or --base-url.',
    })
  }
  await inWorkspace(context, input, (workspace) =>
    toolUseId === undefined ? forgetAll(workspace, input) : forgetOne(workspace, { ...input, toolUseId }),
  )
}

async function forgetOne(
  { context, reporter, journal }: Workspace,
  { toolUseId, baseUrl, session: sessionId, force = false }: JobsForgetInput & { toolUseId: string },
): Promise<void> {
  const [{ forgetJob }, { forgottenRecord, keptAsideRecord }] = await Promise.all([
    import('../session/forget-job.ts'),
    import('../output/describe-job.ts'),
  ])
  const forgotten = await forgetJob(
    { journal: await journal(), signal: context.signal },
    { toolUseId, baseUrl, sessionId, force },
  )
  if ('entry' in forgotten) reporter.print(forgottenRecord(forgotten.entry))
  else for (const path of forgotten.keptAside) reporter.print(keptAsideRecord({ toolUseId, path }))
}

async function forgetAll({ context, reporter, journal }: Workspace, input: JobsForgetInput): Promise<void> {
  const { baseUrl, session: sessionId, force = false } = input
  // Typed, and not taken from environment or profile: those name the service in use, whose calls are worth keeping.
  if (baseUrl === undefined && sessionId === undefined) {
    throw new HermError('usage', '--all does not say whose calls to forget', {
      hint: 'Add --base-url URL for those of one service, or --session ID; `herm-tools jobs list --json` has both of each call.',
    })
  }
  const [{ forgetJobs }, { forgottenRecord }] = await Promise.all([
    import('../session/forget-job.ts'),
    import('../output/describe-job.ts'),
  ])
  const scope = { baseUrl, sessionId, force }
  let count = 0
  let kept = 0
  for await (const tried of forgetJobs({ journal: await journal(), signal: context.signal }, scope)) {
    count++
    if (tried.kept === undefined) {
      reporter.print(forgottenRecord(tried.entry))
    } else {
      kept++
      reporter.warn(`kept: ${tried.kept.message}`)
    }
  }
  if (count === 0) reporter.note('no such calls in the journal')
  if (kept === 0) return
  throw new HermError('failed', `${kept} of ${count} calls are kept, since they may still matter`, {
    hint: force ? 'Run it again later.' : 'Forget them all the same with --force.',
  })
}
