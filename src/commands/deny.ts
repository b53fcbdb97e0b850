import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { confirmCommand, type runConfirm } from './confirm.ts'

export function denyCommand(context: Context, run?: typeof runConfirm): Command {
  return confirmCommand(context, {
    name: 'deny',
    verdict: 'deny',
    examples: [
      'herm-tools deny --tool-use-id custom_toolu_01 --message "Not on a Friday."',
      'herm-tools deny --session ses_01 --all',
    ],
    ...(run && { run }),
  })
    .description('keep the agent from making a call that awaits approval')
    .option('--message <text>', 'why, for the agent')
}
