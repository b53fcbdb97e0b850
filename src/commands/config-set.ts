import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { type ConfigKey, configKeys, parseConfigKey } from './config-key.ts'
import { helpText } from './help-text.ts'
import { newProfileNote, openProfile, understand } from './open-profile.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface ConfigSetInput extends GlobalOptions {
  readonly key: ConfigKey
  readonly value: string
}

export function configSetCommand(context: Context, run = runConfigSet): Command {
  return new Command('set')
    .description('store a setting in the profile, which is made when there is none')
    .summary('store a setting in the profile')
    .argument('<key>', `one of ${configKeys.join(', ')}`)
    .argument('<value>', 'a URL, an id, a path, or a duration such as 30s or 1h30m')
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools config set session ses_01',
          'herm-tools config set timeout 1h30m',
          'herm-tools config set baseUrl http://127.0.0.1:8787 --profile local',
        ],
        exits: { done: 'stored', failed: 'the config file cannot be written', usage: 'no such setting or value' },
        related: ['config list', 'config unset', 'auth login'],
      }),
    )
    .action((key: string, value: string, _options: unknown, self: Command) =>
      run(context, { ...self.optsWithGlobals<GlobalOptions>(), key: parseConfigKey(key), value: value.trim() }),
    )
}

/** Throws `usage` for a value that no command would take, before anything is stored. */
async function runConfigSet(context: Context, input: ConfigSetInput): Promise<void> {
  const { key, value } = input
  await inWorkspace(context, input, async ({ reporter }) => {
    if (value === '') {
      throw new HermError('usage', `the value of ${key} is empty`, { hint: `Use herm-tools config unset ${key}.` })
    }
    const { changeRecord } = await import('../output/describe-settings.ts')
    const onWarning = (message: string) => reporter.warn(message)
    const profile = await openProfile(context, { flags: input, onWarning, mayCreateProfile: true })
    const { caFile } = await understand(profile.name.value, { [key]: value }, input)
    if (caFile !== undefined) await (await import('../client/ca-file.ts')).readCaFile(caFile, context.signal)
    // A path goes in whole: later commands are run in other folders.
    const stored = caFile?.value ?? value
    await profile.change((values) => ({ ...values, [key]: stored }))
    reporter.print(changeRecord({ profile: profile.name.value, key, value: stored }))
    const note = newProfileNote(profile)
    if (note !== undefined) reporter.note(note)
  })
}
