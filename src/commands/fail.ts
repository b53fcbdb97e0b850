import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { resultCommand, type runDeliver } from './deliver.ts'

export function failCommand(context: Context, run?: typeof runDeliver): Command {
  return resultCommand(context, { name: 'fail', status: 'failed', ...(run && { run }) }).description(
    'answer a call with a failed result: at once when the call still waits, else once the session is idle',
  )
}
