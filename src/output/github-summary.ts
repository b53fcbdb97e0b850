import type { ToolRecord } from './record-types.ts'
import { shortened } from './shortened.ts'
import { valueText } from './value-text.ts'
import { oneLine } from './visible-text.ts'

/** Markdown for the summary of a step of GitHub Actions: one table for each type of record. */
export function githubSummary(records: readonly ToolRecord[]): string {
  const types = new Set(records.map(({ type }) => type))
  return [...types]
    .map((type) =>
      table(
        type,
        records.filter((record) => record.type === type),
      ),
    )
    .join('')
}

function table(type: string, records: readonly ToolRecord[]): string {
  const fields = records.slice(0, SHOWN_ROWS).map(({ type: _, ...rest }) => rest)
  const names = Object.keys(fields[0] ?? {})
  const rows = [names, names.map(() => '---'), ...fields.map((row) => Object.values(row).map(cell))]
  const more = records.length > SHOWN_ROWS ? `\nThe first ${SHOWN_ROWS} of ${records.length}.\n` : ''
  return `### ${type}\n\n${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}${more}\n`
}

/**
 * Text from a session must not become Markdown, HTML or a link here. Markdown takes every mark that a backslash stands
 * before as itself, and GitHub links no names inside of code.
 */
function cell(value: unknown): string {
  const text = oneLine(valueText(value))
  if (text === '') return ''
  const shown = shortened(text, CELL_CHARS)
  return `<code>${shown.replace(/[!-/:-@[-`{-~]/g, '\\$&')}</code>`
}

/** GitHub shows a summary of up to 1 MiB; these are for an overview. */
const SHOWN_ROWS = 50
const CELL_CHARS = 200
