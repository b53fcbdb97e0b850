import { Command } from 'commander'
import type { Context } from '../context.ts'
import { authLoginCommand } from './auth-login.ts'
import { authLogoutCommand } from './auth-logout.ts'
import { authStatusCommand } from './auth-status.ts'

export function authCommand(context: Context): Command {
  return new Command('auth')
    .description('store, show and remove the API key')
    .addCommand(authLoginCommand(context))
    .addCommand(authStatusCommand(context))
    .addCommand(authLogoutCommand(context))
}
