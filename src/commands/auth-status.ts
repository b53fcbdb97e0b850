import { Command } from 'commander'
import type { Context } from '../context.ts'
import { fromEnvironment } from '../store/setting-source.ts'
import { helpText } from './help-text.ts'
import { openProfile } from './open-profile.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export function authStatusCommand(context: Context, run = runAuthStatus): Command {
  return new Command('status')
    .description('show which profile and API key are in force, and where they come from')
    .summary('show the profile and key in force, and their origin')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools auth status', 'herm-tools auth status --profile staging --json'],
        exits: {
          done: 'a key is in force, or none is needed',
          auth: 'no key is in force, or it holds a character that no key has',
        },
        related: ['auth login', 'config use', 'config list'],
      }),
    )
    .action((_options: unknown, self: Command) => run(context, self.optsWithGlobals<GlobalOptions>()))
}

/** Prints one `herm_tools.auth`, then throws `auth` when there is no key and one is needed. The service is not asked. */
async function runAuthStatus(context: Context, input: GlobalOptions): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, settings }) => {
    const [{ authRecord }, { requireApiKey }] = await Promise.all([
      import('../output/describe-auth.ts'),
      import('../store/settings.ts'),
    ])
    const known = await settings()
    const overridesStored = fromEnvironment('PRISM_API_KEY', context.env) !== undefined && (await isKeyStored())
    reporter.print(authRecord(known, { overridesStored }))
    if (overridesStored) reporter.warn(`PRISM_API_KEY overrides the key stored in profile ${known.profile.value}`)
    requireApiKey(known)

    async function isKeyStored(): Promise<boolean> {
      if (known.configUnread !== undefined) return false
      // The settings have already warned of what is wrong with the file.
      const { values } = await openProfile(context, { flags: input, onWarning: () => undefined })
      return values.apiKey !== undefined
    }
  })
}
