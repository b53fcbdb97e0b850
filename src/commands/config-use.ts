import { Command } from 'commander'
import type { Context } from '../context.ts'
import { fromEnvironment } from '../store/setting-source.ts'
import { helpText } from './help-text.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface ConfigUseInput extends GlobalOptions {
  readonly name: string
}

export function configUseCommand(context: Context, run = runConfigUse): Command {
  return new Command('use')
    .description('choose the profile that is used where none is named')
    .argument('<profile>', 'its name, or default')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools config use staging', 'herm-tools config use default'],
        exits: { done: 'it is in use from now on', usage: 'there is no such profile' },
        related: ['auth status', 'auth login', 'config list'],
      }),
    )
    .action((name: string, _options: unknown, self: Command) =>
      run(context, { ...self.optsWithGlobals<GlobalOptions>(), name }),
    )
}

/** Prints one `herm_tools.profile_in_use`. Throws `usage` for a profile that does not exist, and then changes nothing. */
async function runConfigUse(context: Context, input: ConfigUseInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter }) => {
    const [{ chooseProfile }, { oneLine }] = await Promise.all([
      import('../store/choose-profile.ts'),
      import('../output/visible-text.ts'),
    ])
    const store = await context.config({ onWarning: (message) => reporter.warn(message) })
    const known = { env: {}, config: await store.read(), configPath: store.path }
    const profile = chooseProfile({ ...known, flags: { profile: input.name } }).name.value
    await store.update((config) => ({ ...config, currentProfile: profile }))
    reporter.print({
      json: { type: 'herm_tools.profile_in_use', profile },
      isSentence: true,
      text: () => `profile ${oneLine(profile)} is used where none is named`,
    })
    if (fromEnvironment('HERM_TOOLS_PROFILE', context.env)) reporter.warn('HERM_TOOLS_PROFILE is set, and wins over it')
  })
}
