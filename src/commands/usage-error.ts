import type { CommanderError } from 'commander'
import { HermError } from '../errors.ts'

/** What commander found wrong with a command line, as an error of ours. `path` is the command, as it is typed. */
export function usageError(error: CommanderError, path: string): HermError {
  const help = `See ${path} --help.`
  if (error.code === 'commander.help') return new HermError('usage', 'a command is missing', { hint: help })
  const [message = '', ...suggestions] = error.message.replace(/^error: /, '').split('\n')
  const hint = suggestions.map((line) => line.replace(/^\((.*)\)$/, '$1')).join(' ')
  return new HermError('usage', message, { hint: hint || help })
}
