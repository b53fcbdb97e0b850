import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { resultCommand, type runDeliver } from './deliver.ts'

export function completeCommand(context: Context, run?: typeof runDeliver): Command {
  return resultCommand(context, {
    name: 'complete',
    status: 'completed',
    examples: [
      'herm-tools complete --tool-use-id custom_toolu_01 --file result.txt',
      './render.sh | herm-tools complete --tool-use-id custom_toolu_01 --file -',
      'herm-tools complete --tool-use-id custom_toolu_01 --text "Done." --timeout 1h --json',
    ],
    related: ['running', 'fail', 'reconcile', 'jobs list'],
    ...(run && { run }),
  })
    .description(
      'answer a call with a completed result: at once when the call still waits, else once the session is idle',
    )
    .summary('answer a call, or deliver its final: completed')
}
