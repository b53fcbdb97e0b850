import { HermError } from '../errors.ts'
import { jsonText } from './create-reporter.ts'
import { githubFiles } from './github-files.ts'
import { harmlessJsonInLog } from './github-log.ts'
import type { ToolRecord } from './record-types.ts'
import type { Reporter } from './reporter.ts'

export interface GithubReporter extends Reporter {
  /**
   * To be called once, when the command is over. When the files cannot be written, throws `failed` after a command that is
   * done; after one that failed it warns, since what went wrong first is what counts.
   */
  writeFiles(isDone: boolean): void
}

/**
 * Prints as `reporter` does, and leaves the tool's own records to GitHub Actions, for `--github`: all of them as the
 * outputs `count` and `records` (a JSON list), and the fields of the one record, where there is one, by their names. Of
 * several, none is the one that a later step should act on. Throws as githubFiles does.
 */
export function githubReporter(reporter: Reporter, env: Readonly<Record<string, string | undefined>>): GithubReporter {
  const files = githubFiles(env)
  const records: ToolRecord[] = []
  let count = 0
  return {
    ...reporter,
    print(datum) {
      if (typeof datum.json !== 'string') {
        count += 1
        if (records.length < KEPT_RECORDS) records.push(datum.json)
      }
      reporter.print(reporter.isJson ? { ...datum, json: harmlessJsonInLog(jsonText(datum)) } : datum)
    },
    writeFiles(isDone) {
      try {
        files.append({ ...(count === 1 && records[0]), count, records }, records)
      } catch (error) {
        if (!(error instanceof HermError)) throw error
        const { message, hint, cause } = error
        if (isDone) throw new HermError('failed', `what was asked for is done, but ${message}`, { hint, cause })
        reporter.warn(message)
      }
    },
  }
}

/** A watch may print for days; and GitHub takes no more than 1 MB of outputs from a job. */
const KEPT_RECORDS = 1_000
