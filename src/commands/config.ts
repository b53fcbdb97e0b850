import { Command } from 'commander'
import type { Context } from '../context.ts'
import { configGetCommand } from './config-get.ts'
import { configListCommand } from './config-list.ts'
import { configPathCommand } from './config-path.ts'
import { configSetCommand } from './config-set.ts'
import { configUnsetCommand } from './config-unset.ts'
import { configUseCommand } from './config-use.ts'
import { helpText } from './help-text.ts'

export function configCommand(context: Context): Command {
  return new Command('config')
    .description('show and change the settings of a profile')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools config list', 'herm-tools config set session ses_01'],
        related: ['auth login', 'help files'],
      }),
    )
    .addCommand(configListCommand(context))
    .addCommand(configGetCommand(context))
    .addCommand(configSetCommand(context))
    .addCommand(configUnsetCommand(context))
    .addCommand(configUseCommand(context))
    .addCommand(configPathCommand(context))
}
