import { Command } from 'commander'
import type { Context } from '../context.ts'
import { helpText } from './help-text.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export function configPathCommand(context: Context, run = runConfigPath): Command {
  return new Command('path')
    .description('print where the config file is, or would be')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools config path', 'HERM_TOOLS_CONFIG_DIR=/tmp/try herm-tools config path'],
        exits: { done: 'printed' },
        related: ['config list', 'help environment'],
      }),
    )
    .action((_options: unknown, self: Command) => run(context, self.optsWithGlobals<GlobalOptions>()))
}

/** Touches no file. */
async function runConfigPath(context: Context, input: GlobalOptions): Promise<void> {
  await inWorkspace(context, input, async ({ reporter }) => {
    const { path } = await context.config({ onWarning: (message) => reporter.warn(message) })
    reporter.print({ json: { type: 'herm_tools.config_path', path }, text: () => path })
  })
}
