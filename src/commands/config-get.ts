import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { type ConfigKey, configKeys, parseConfigKey } from './config-key.ts'
import { helpText } from './help-text.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface ConfigGetInput extends GlobalOptions {
  readonly key: ConfigKey
}

export function configGetCommand(context: Context, run = runConfigGet): Command {
  return new Command('get')
    .description('print one setting as it is in force')
    .argument('<key>', `one of ${configKeys.join(', ')}`)
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools config get session', 'herm-tools config get baseUrl --profile staging'],
        exits: { done: 'printed', failed: 'nothing sets it', usage: 'there is no such setting' },
        related: ['config list', 'config set'],
      }),
    )
    .action((key: string, _options: unknown, self: Command) =>
      run(context, { ...self.optsWithGlobals<GlobalOptions>(), key: parseConfigKey(key) }),
    )
}

/** Prints the value alone, or a `herm_tools.setting`. Throws `failed` when nothing sets it. */
async function runConfigGet(context: Context, input: ConfigGetInput): Promise<void> {
  const { key } = input
  await inWorkspace(context, input, async ({ reporter, settings }) => {
    const { settingRecord, settingTexts } = await import('../output/describe-settings.ts')
    const setting = settingTexts(await settings()).find((one) => one.key === key)
    if (setting?.value === undefined) {
      throw new HermError('failed', `nothing sets ${key}`, { hint: `Set it with herm-tools config set ${key} VALUE.` })
    }
    const { value } = setting
    reporter.print({ json: settingRecord(setting), text: () => value })
  })
}
