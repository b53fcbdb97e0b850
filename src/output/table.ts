import type { ChalkInstance } from 'chalk'
import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import { fieldLines } from './field-lines.ts'
import type { Printable } from './reporter.ts'
import { oneLine } from './visible-text.ts'

export interface Column<Row> {
  readonly title: string
  /** Undefined, null and empty are shown as a dash. */
  readonly cell: (row: Row) => string | null | undefined
  /** Terminal columns; a longer cell is cut and ends in `…`. */
  readonly maxWidth?: number
}

export interface TableOptions<Row> {
  readonly record: (row: Row) => Printable['json']
  readonly columns: readonly Column<Row>[]
  /** Columns that a line may take, where it is not for the terminal to say. */
  readonly width?: number
}

/**
 * Rows as records of their own, or, for a person, as the lines of one table under a head. No rows, no head. The last cell is
 * wrapped to what the others leave of the width; where that is too little, each row is a list of its cells.
 */
export function tableRows<Row>(rows: readonly Row[], { record, columns, width }: TableOptions<Row>): Printable[] {
  const cells = rows.map((row) => columns.map((column) => cellText(column, row)))
  const widths = columns.map(({ title }, at) =>
    Math.max(stringWidth(title), ...cells.map((line) => stringWidth(line[at] ?? ''))),
  )
  const head = (style: ChalkInstance) =>
    style.dim(
      aligned(
        columns.map(({ title }) => title),
        widths,
      ),
    )
  return rows.map((row, at) => ({
    json: record(row),
    text(style, terminal) {
      const room = width ?? terminal ?? Number.POSITIVE_INFINITY
      if (leastWidth(widths) > room) return `${at === 0 ? '' : '\n'}${listed(cells[at] ?? [], columns, style)}`
      return `${at === 0 ? `${head(style)}\n` : ''}${aligned(cells[at] ?? [], widths, room)}`
    },
  }))
}

function leastWidth(widths: readonly number[]): number {
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0)
  return before + Math.min(widths.at(-1) ?? 0, NARROWEST)
}

function listed(cells: readonly string[], columns: readonly { title: string }[], style: ChalkInstance): string {
  const fields = columns.map(({ title }, at) => [title.toLowerCase(), cells[at]] as const)
  return fieldLines(fields, style)
}

function cellText<Row>({ cell, maxWidth }: Column<Row>, row: Row): string {
  const text = oneLine(cell(row) ?? '') || '-'
  return maxWidth === undefined ? text : cut(text, maxWidth)
}

/** Between graphemes, never inside one. */
function cut(text: string, maxWidth: number): string {
  if (stringWidth(text) <= maxWidth) return text
  let kept = ''
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += stringWidth(segment)
    if (width > maxWidth - 1) break
    kept += segment
  }
  return `${kept}…`
}

function aligned(cells: readonly string[], widths: readonly number[], width = Number.POSITIVE_INFINITY): string {
  const padded = cells.slice(0, -1).map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - stringWidth(cell)) + GAP)
  const before = padded.join('')
  const indent = stringWidth(before)
  const left = Math.max(width - indent, NARROWEST)
  const last = left === Number.POSITIVE_INFINITY ? (cells.at(-1) ?? '') : wrapAnsi(cells.at(-1) ?? '', left)
  return `${before}${last.replaceAll('\n', `\n${' '.repeat(indent)}`)}`.trimEnd()
}

const GAP = '  '
/** Columns below which a text is no longer read. */
const NARROWEST = 20
