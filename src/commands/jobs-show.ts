import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { helpText } from './help-text.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface JobInput extends GlobalOptions {
  readonly toolUseId: string
  readonly session?: string | undefined
}

export function jobsShowCommand(context: Context, run = runJobsShow): Command {
  return new Command('show')
    .description('show what the journal knows of one call')
    .argument('<tool-use-id>', 'the call')
    .option('--session <id>', 'its session, where the id is known in several')
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools jobs show custom_toolu_01',
          'herm-tools jobs show custom_toolu_01 --session ses_01 --json',
        ],
        exits: {
          done: 'shown',
          failed: 'the entry cannot be read',
          usage: 'the id is known in several sessions',
          not_found: 'the journal has no such call',
        },
        related: ['jobs list', 'reconcile', 'events'],
      }),
    )
    .action((toolUseId: string, _options: unknown, self: Command) =>
      run(context, { ...self.optsWithGlobals<Omit<JobInput, 'toolUseId'>>(), toolUseId }),
    )
}

/** Prints one `herm_tools.job`. Throws as findJob does, and `failed` for an entry that cannot be understood. */
async function runJobsShow(context: Context, input: JobInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, journal }) => {
    const [{ findJob }, { describeJob, describeProblem }] = await Promise.all([
      import('../session/find-job.ts'),
      import('../output/describe-job.ts'),
    ])
    const found = await findJob(await journal(), { ...input, sessionId: input.session })
    if ('entry' in found) return reporter.print(describeJob(found.entry))
    const reasons = found.problems.map(describeProblem)
    throw new HermError('failed', `the entry of ${input.toolUseId} cannot be understood: ${reasons.join('; ')}`, {
      hint: `Mend the file, or put it aside with \`herm-tools jobs forget ${shellWord(input.toolUseId)} --force\`.`,
    })
  })
}
