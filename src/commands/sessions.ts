import { Command } from 'commander'
import type { Context } from '../context.ts'
import { helpText } from './help-text.ts'
import { sessionsCreateCommand } from './sessions-create.ts'
import { sessionsGetCommand } from './sessions-get.ts'
import { sessionsListCommand } from './sessions-list.ts'

export function sessionsCommand(context: Context): Command {
  return new Command('sessions')
    .description('list, show and create sessions')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools sessions list --status idle', 'herm-tools sessions get ses_01'],
        related: ['watch', 'events'],
      }),
    )
    .addCommand(sessionsListCommand(context))
    .addCommand(sessionsGetCommand(context))
    .addCommand(sessionsCreateCommand(context))
}
