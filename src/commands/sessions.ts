import { Command } from 'commander'
import type { Context } from '../context.ts'
import { sessionsCreateCommand } from './sessions-create.ts'
import { sessionsGetCommand } from './sessions-get.ts'
import { sessionsListCommand } from './sessions-list.ts'

export function sessionsCommand(context: Context): Command {
  return new Command('sessions')
    .description('list, show and create sessions')
    .addCommand(sessionsListCommand(context))
    .addCommand(sessionsGetCommand(context))
    .addCommand(sessionsCreateCommand(context))
}
