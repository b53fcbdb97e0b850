import { Command } from 'commander'
import type { Context } from '../context.ts'
import { helpText } from './help-text.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export function configListCommand(context: Context, run = runConfigList): Command {
  return new Command('list')
    .description('show every setting in force, and where it comes from')
    .summary('show every setting in force, and its origin')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools config list', 'herm-tools config list --profile staging --json'],
        exits: { done: 'shown', failed: 'the config file cannot be read', usage: 'a setting makes no sense' },
        related: ['config set', 'help environment'],
      }),
    )
    .action((_options: unknown, self: Command) => run(context, self.optsWithGlobals<GlobalOptions>()))
}

/** Prints one `herm_tools.setting` for each setting. */
async function runConfigList(context: Context, input: GlobalOptions): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, settings }) => {
    const { settingTable } = await import('../output/describe-settings.ts')
    for (const row of settingTable(await settings())) reporter.print(row)
  })
}
