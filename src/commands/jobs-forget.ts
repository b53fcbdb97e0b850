import { Command } from 'commander'
import type { Context } from '../context.ts'
import { helpText } from './help-text.ts'
import type { JobInput } from './jobs-show.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface JobsForgetInput extends JobInput {
  readonly force?: boolean
}

export function jobsForgetCommand(context: Context, run = runJobsForget): Command {
  return new Command('forget')
    .description('remove one call from the journal; history at the service stays as it is')
    .summary('remove one call from the journal')
    .argument('<tool-use-id>', 'the call')
    .option('--session <id>', 'its session, where the id is known in several')
    .option('--force', 'also without a final, with a result in doubt, or when the entry cannot be read')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools jobs forget custom_toolu_01', 'herm-tools jobs forget custom_toolu_01 --force'],
        exits: {
          done: 'forgotten, or kept aside when it could not be read',
          failed: 'it may still matter; --force forgets it all the same',
          usage: 'the id is known in several sessions',
          not_found: 'the journal has no such call',
          timeout: 'a delivery of this call is going on',
        },
        related: ['jobs show', 'reconcile'],
      }),
    )
    .action((toolUseId: string, _options: unknown, self: Command) =>
      run(context, { ...self.optsWithGlobals<GlobalOptions & { session?: string; force?: boolean }>(), toolUseId }),
    )
}

/** Prints `herm_tools.job_forgotten`, or a `herm_tools.job_kept_aside` for each unreadable entry. Throws as forgetJob does. */
async function runJobsForget(context: Context, input: JobsForgetInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, journal }) => {
    const [{ forgetJob }, { forgottenRecord, keptAsideRecord }] = await Promise.all([
      import('../session/forget-job.ts'),
      import('../output/describe-job.ts'),
    ])
    const { toolUseId, baseUrl, session: sessionId, force = false } = input
    const forgotten = await forgetJob(
      { journal: await journal(), signal: context.signal },
      { toolUseId, baseUrl, sessionId, force },
    )
    if ('entry' in forgotten) reporter.print(forgottenRecord(forgotten.entry))
    else for (const path of forgotten.keptAside) reporter.print(keptAsideRecord({ toolUseId, path }))
  })
}
