import { Command } from 'commander'
import type { Context } from '../context.ts'
import { authLoginCommand } from './auth-login.ts'
import { authLogoutCommand } from './auth-logout.ts'
import { authStatusCommand } from './auth-status.ts'
import { helpText } from './help-text.ts'

export function authCommand(context: Context): Command {
  return new Command('auth')
    .description('store, show and remove the API key')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools auth login', 'herm-tools auth status'],
        related: ['config list', 'help environment'],
      }),
    )
    .addCommand(authLoginCommand(context))
    .addCommand(authStatusCommand(context))
    .addCommand(authLogoutCommand(context))
}
