import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { resultCommand, type runDeliver } from './deliver.ts'

export function runningCommand(context: Context, run?: typeof runDeliver): Command {
  return resultCommand(context, {
    name: 'running',
    status: 'running',
    examples: [
      'herm-tools running --tool-use-id custom_toolu_01 --text "Rendering."',
      'herm-tools running --session ses_01 --tool-use-id custom_toolu_01 --file started.txt',
    ],
    related: ['pending', 'complete', 'fail'],
    ...(run && { run }),
  })
    .alias('kickoff')
    .description('answer a call with a running result, so that its turn goes on while the work is done')
    .summary('answer a call: the work has begun')
}
