import { Command } from 'commander'
import type { Context } from '../context.ts'
import type { ConfigGetInput } from './config-get.ts'
import { configKeys, parseConfigKey } from './config-key.ts'
import { helpText } from './help-text.ts'
import { openProfile } from './open-profile.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export function configUnsetCommand(context: Context, run = runConfigUnset): Command {
  return new Command('unset')
    .description('remove a setting from the profile')
    .argument('<key>', `one of ${configKeys.join(', ')}`)
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools config unset session', 'herm-tools config unset baseUrl --profile local'],
        exits: { done: 'the profile does not set it any more', usage: 'there is no such setting or profile' },
        related: ['config list', 'config set'],
      }),
    )
    .action((key: string, _options: unknown, self: Command) =>
      run(context, { ...self.optsWithGlobals<GlobalOptions>(), key: parseConfigKey(key) }),
    )
}

/** What was not set stays unset, and then nothing is written. */
async function runConfigUnset(context: Context, input: ConfigGetInput): Promise<void> {
  const { key } = input
  await inWorkspace(context, input, async ({ reporter }) => {
    const { changeRecord } = await import('../output/describe-settings.ts')
    const profile = await openProfile(context, { flags: input, onWarning: (message) => reporter.warn(message) })
    if (profile.values[key] !== undefined) await profile.change(({ [key]: _removed, ...values }) => values)
    reporter.print(changeRecord({ profile: profile.name.value, key, value: undefined }))
  })
}
