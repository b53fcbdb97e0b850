import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { resultCommand, type runDeliver } from './deliver.ts'

export function failCommand(context: Context, run?: typeof runDeliver): Command {
  return resultCommand(context, {
    name: 'fail',
    status: 'failed',
    examples: [
      'herm-tools fail --tool-use-id custom_toolu_01 --text "The renderer ran out of memory."',
      'herm-tools fail --tool-use-id custom_toolu_01 --file error.log --truncate',
    ],
    related: ['running', 'complete', 'reconcile'],
    ...(run && { run }),
  })
    .description('answer a call with a failed result: at once when the call still waits, else once the session is idle')
    .summary('answer a call, or deliver its final: failed')
}
