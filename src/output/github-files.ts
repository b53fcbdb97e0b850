import { randomUUID } from 'node:crypto'
import { appendFileSync, statSync } from 'node:fs'
import { HermError } from '../errors.ts'
import { githubSummary } from './github-summary.ts'
import type { ToolRecord } from './record-types.ts'
import { valueText } from './value-text.ts'

/** The files of a step of GitHub Actions: what it leaves to later steps, and what it shows on the page of the run. */
export interface GithubFiles {
  /** Adds to both; what is there stays. Throws `failed` when they cannot be written. */
  append(outputs: Readonly<Record<string, unknown>>, records: readonly ToolRecord[]): void
}

/** Throws `usage` outside of GitHub Actions, and where the files cannot be written. */
export function githubFiles(env: Readonly<Record<string, string | undefined>>): GithubFiles {
  const { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary } = env
  if (!output || !summary) {
    throw new HermError('usage', '--github needs GITHUB_OUTPUT and GITHUB_STEP_SUMMARY, and they are not both set', {
      hint: 'GitHub Actions sets them in every step; leave --github out elsewhere.',
    })
  }
  // Found out before anything is sent: after that it would be too late.
  for (const path of [output, summary]) add(path, '', 'usage')
  return {
    append(outputs, records) {
      add(output, Object.entries(outputs).map(outputText).join(''), 'failed')
      add(summary, githubSummary(records), 'failed')
    },
  }
}

function add(path: string, text: string, kind: 'usage' | 'failed'): void {
  try {
    // To open a pipe that nobody reads would take for ever.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error(`${path} is not a regular file`)
    appendFileSync(path, text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new HermError(kind, `a file of GitHub Actions cannot be written: ${reason}`, {
      hint: 'Check GITHUB_OUTPUT and GITHUB_STEP_SUMMARY.',
      cause,
    })
  }
}

/** In the form for values of several lines. The delimiter is random, so that no text from a session can end the value. */
function outputText([name, value]: [string, unknown]): string {
  const delimiter = `herm_tools_${randomUUID()}`
  return `${name}<<${delimiter}\n${valueText(value)}\n${delimiter}\n`
}
