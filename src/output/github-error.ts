import { HermError } from '../errors.ts'
import { githubFiles } from './github-files.ts'
import type { RecordOf } from './record-types.ts'
import { visible } from './visible-text.ts'

/** Marks the step of GitHub Actions with the error, and leaves it to later steps: its fields are outputs. */
export function reportErrorToGithub(
  error: RecordOf<'error'>,
  { stderr, env }: { stderr: NodeJS.WritableStream; env: Readonly<Record<string, string | undefined>> },
): void {
  try {
    const files = githubFiles(env)
    stderr.write(`::error title=herm-tools::${escaped([error.message, error.hint].filter(Boolean).join('\n'))}\n`)
    files.append(error, [error])
  } catch (failure) {
    // What went wrong first is what counts; it may be this very thing.
    if (!(failure instanceof HermError)) throw failure
  }
}

/** As a workflow command takes its text: on one line, so that nothing in it can be a command of its own. */
function escaped(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
