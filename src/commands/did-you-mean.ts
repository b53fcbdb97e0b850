import { Command } from 'commander'

/** A question such as `Did you mean session?`, by commander's own measure of likeness; undefined when nothing is near. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const probe = new Command()
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  for (const name of known) probe.command(name)
  try {
    probe.parse([word], { from: 'user' })
  } catch (error) {
    return error instanceof Error ? /\((Did you mean .*)\)/.exec(error.message)?.[1] : undefined
  }
  return undefined
}
