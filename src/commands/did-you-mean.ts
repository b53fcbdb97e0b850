import { Command } from 'commander'

/** A question such as `Did you mean session?`, by commander's own measure of likeness; undefined when nothing is near. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  return question(nearest(word, known))
}

export function question(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  return `Did you mean ${names.length === 1 ? '' : 'one of '}${names.join(', ')}?`
}

/** What of the known words is like this one, all alike near; the word itself, where it is known. */
export function nearest(word: string, known: readonly string[]): readonly string[] {
  if (known.includes(word)) return [word]
  const probe = new Command()
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  for (const name of new Set(known)) probe.command(name)
  try {
    probe.parse(['--', word], { from: 'user' })
  } catch (error) {
    const found = error instanceof Error ? /\(Did you mean (?:one of )?(.*)\?\)$/s.exec(error.message)?.[1] : undefined
    return found?.split(', ') ?? []
  }
  return []
}
