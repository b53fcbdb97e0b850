import type { ChalkInstance } from 'chalk'
import stringWidth from 'string-width'
import type { Printable } from './reporter.ts'
import { oneLine } from './visible-text.ts'

export interface Column<Row> {
  readonly title: string
  /** Undefined, null and empty are shown as a dash. */
  readonly cell: (row: Row) => string | null | undefined
  /** Terminal columns; a longer cell is cut and ends in `…`. */
  readonly maxWidth?: number
}

/** Rows as records of their own, or, for a person, as the lines of one table under a head. No rows, no head. */
export function tableRows<Row>(
  rows: readonly Row[],
  { record, columns }: { record: (row: Row) => Printable['json']; columns: readonly Column<Row>[] },
): Printable[] {
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
    text: (style) => `${at === 0 ? `${head(style)}\n` : ''}${aligned(cells[at] ?? [], widths)}`,
  }))
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

function aligned(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - stringWidth(cell)))
  return padded.join('  ').trimEnd()
}
