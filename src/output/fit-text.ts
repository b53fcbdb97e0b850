import cliTruncate from 'cli-truncate'
import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/** The text on one line of at most `width` columns; what is cut off leaves a `…`. Colours are kept. */
export function cutTo(text: string, width: number): string {
  const cut = cliTruncate(text, width)
  // cli-truncate 5 keeps a wide character of which only one half has room.
  return stringWidth(cut) > width ? cliTruncate(text, width - 1) : cut
}

/**
 * The text on lines of at most `width` columns: words stay whole where they fit, and what goes on in the next line keeps
 * the indentation of its own.
 */
export function wrapTo(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const indent = ' '.repeat(Math.min(line.length - line.trimStart().length, Math.floor(width / 2)))
    const rows = wrapAnsi(line.trimStart(), width - indent.length, { hard: true }).split('\n')
    return rows.map((row) => indent + row)
  })
}

/** The same on `rows` lines at most. */
export function wrapToRows(text: string, { width, rows }: { width: number; rows: number }): string[] {
  const lines = wrapTo(text, width)
  if (lines.length <= rows) return lines
  const [last = ''] = lines.slice(rows - 1)
  return [...lines.slice(0, rows - 1), cutTo(`${last} …`, width)]
}
