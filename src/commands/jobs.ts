import { Command } from 'commander'
import type { Context } from '../context.ts'
import { helpText } from './help-text.ts'
import { jobsForgetCommand } from './jobs-forget.ts'
import { jobsListCommand } from './jobs-list.ts'
import { jobsShowCommand } from './jobs-show.ts'

export function jobsCommand(context: Context): Command {
  return new Command('jobs')
    .description('the journal: tool calls seen on this machine, and what was sent for them')
    .summary('the journal: calls seen here, and what was sent')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools jobs list --open', 'herm-tools jobs show custom_toolu_01'],
        related: ['reconcile', 'pending'],
      }),
    )
    .addCommand(jobsListCommand(context))
    .addCommand(jobsShowCommand(context))
    .addCommand(jobsForgetCommand(context))
}
