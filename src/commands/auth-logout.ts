import { Command } from 'commander'
import type { Context } from '../context.ts'
import { fromEnvironment } from '../store/setting-source.ts'
import { helpText } from './help-text.ts'
import { openProfile } from './open-profile.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export function authLogoutCommand(context: Context, run = runAuthLogout): Command {
  return new Command('logout')
    .description('remove the API key from the profile')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools auth logout', 'herm-tools auth logout --profile staging'],
        exits: { done: 'no key is stored any more', usage: 'there is no such profile' },
        related: ['auth login', 'auth status'],
      }),
    )
    .action((_options: unknown, self: Command) => run(context, self.optsWithGlobals<GlobalOptions>()))
}

/** Prints one `herm_tools.logout`. The rest of the profile stays; without a stored key nothing is written. */
async function runAuthLogout(context: Context, input: GlobalOptions): Promise<void> {
  await inWorkspace(context, input, async ({ reporter }) => {
    const { logoutRecord } = await import('../output/describe-auth.ts')
    const profile = await openProfile(context, { flags: input, onWarning: (message) => reporter.warn(message) })
    const wasStored = profile.values.apiKey !== undefined
    if (wasStored) await profile.change(({ apiKey: _removed, ...values }) => values)
    reporter.print(logoutRecord({ profile: profile.name.value, wasStored }))
    if (fromEnvironment('PRISM_API_KEY', context.env)) reporter.warn('PRISM_API_KEY is set, and stays in force')
  })
}
