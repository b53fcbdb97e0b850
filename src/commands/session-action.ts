import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'

/** The action of a command that takes its session as an argument or as `--session`: runs it with all options and that one. */
export function sessionAction<Input extends { readonly session?: string | undefined }>(
  context: Context,
  run: (context: Context, input: Input) => Promise<void>,
): (argument: string | undefined, options: unknown, self: Command) => Promise<void> {
  return (argument, _options, self) => {
    const options = self.optsWithGlobals<Input>()
    return run(context, { ...options, session: oneSession(argument, options.session) })
  }
}

/** The session as argument or as option. Throws `usage` for two that differ. */
export function oneSession(argument: string | undefined, option: string | undefined): string | undefined {
  if (argument === undefined || option === undefined || argument === option) return argument ?? option
  throw new HermError('usage', `two sessions are named: ${argument} and ${option}`, { hint: 'Name one of them.' })
}
