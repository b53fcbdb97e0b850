import { Command } from 'commander'
import type { Context } from '../context.ts'

/**
 * What the completion scripts call: `herm-tools __complete -- INDEX WORD…`, with all words of the line up to the cursor,
 * `herm-tools` among them, and the index of the word to complete, counted from 0. The word is missing where nothing of it
 * is typed: some shells cannot pass on an empty one.
 *
 * Prints `words`, or `files` where the name of a file is due; then one candidate on each line, with a tab and its meaning.
 * Candidates are not narrowed down to what is typed, which the shell does by its own rules. It never fails, says nothing on
 * stderr, asks nothing of the service, and reads no more than config and journal.
 */
export function completionRequestCommand(context: Context): Command {
  return new Command('__complete')
    .argument('[words...]')
    .helpOption(false)
    .action(async ([index, ...words]: string[], _options: unknown, self: Command) => {
      const [{ candidateLines }, { localValues }] = await Promise.all([
        import('./completion-candidates.ts'),
        import('./completion-values.ts'),
      ])
      const at = Number(index)
      const typed = { before: words.slice(1, at), current: words[at] ?? '' }
      const lines = await candidateLines(self.parent ?? self, typed, localValues(context)).catch(() => ['words'])
      context.stdout.write(lines.map((line) => `${line}\n`).join(''))
    })
}
