import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { confirmCommand, type runConfirm } from './confirm.ts'

export function approveCommand(context: Context, run?: typeof runConfirm): Command {
  return confirmCommand(context, {
    name: 'approve',
    verdict: 'allow',
    examples: ['herm-tools approve --tool-use-id custom_toolu_01', 'herm-tools approve --session ses_01 --all'],
    ...(run && { run }),
  }).description('let the agent make a call that awaits approval')
}
