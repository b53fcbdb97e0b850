import { Command } from 'commander'
import type { Context } from '../context.ts'
import { configGetCommand } from './config-get.ts'
import { configListCommand } from './config-list.ts'
import { configPathCommand } from './config-path.ts'
import { configSetCommand } from './config-set.ts'
import { configUnsetCommand } from './config-unset.ts'

export function configCommand(context: Context): Command {
  return new Command('config')
    .description('show and change the settings of a profile')
    .addCommand(configListCommand(context))
    .addCommand(configGetCommand(context))
    .addCommand(configSetCommand(context))
    .addCommand(configUnsetCommand(context))
    .addCommand(configPathCommand(context))
}
