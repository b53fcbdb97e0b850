import stringWidth from 'fast-string-width'
import { createLogUpdate } from 'log-update'
import { cutTo } from './fit-text.ts'

/** The lines at the bottom of a terminal that are drawn again in their place, while others are printed above them. */
export interface LiveRegion {
  /** Prints the lines that stay, and puts the others beneath: each of these takes one row, and is cut where it is wider. */
  paint(lines: { printed: readonly string[]; open: readonly string[] }): void
  /** Writes something else, on this terminal, above the region. */
  around(write: () => void): void
  /** Takes the region away, and shows the cursor again. */
  end(): void
}

export function createLiveRegion(stdout: NodeJS.WriteStream): LiveRegion {
  const update = createLogUpdate(stdout)
  /** As they were drawn, and the width of the terminal then. */
  let shown: readonly string[] = []
  let columns = stdout.columns

  return {
    paint({ printed, open: wanted }) {
      const open = fitting(wanted)
      const hasSameSize = open.length === shown.length && columns === stdout.columns
      if (printed.length === 0 && hasSameSize && open.every((line, at) => line === shown[at])) return
      // One write, so that the terminal never shows what lies between.
      stdout.cork()
      // log-update 7 draws over what follows when lines come or go in the middle of a region: it starts afresh then.
      if (printed.length > 0 || !hasSameSize) clear()
      for (const line of printed) stdout.write(`${line}\n`)
      show(open)
      stdout.uncork()
    },
    around(write) {
      // Lines for another width are left out until the next ones are painted.
      const lines = columns === stdout.columns ? shown : []
      clear()
      write()
      show(lines)
    },
    end() {
      clear()
      update.done()
    },
  }

  /** log-update itself would break a wide line, and what it draws could no longer be told from what is asked for. */
  function fitting(lines: readonly string[]): readonly string[] {
    return lines.map((line) => (stringWidth(line) > stdout.columns ? cutTo(line, stdout.columns) : line))
  }

  /**
   * Terminals do not agree how wide some emoji are; a line that they hold for longer is cut, and takes no second row.
   * Without a region the cursor is shown: the program may be stopped then.
   */
  function show(lines: readonly string[]): void {
    if (lines.length > 0) {
      stdout.write(NO_WRAP)
      update(lines.join('\n'))
      stdout.write(WRAP)
    } else update.done()
    shown = lines
    columns = stdout.columns
  }

  /** A terminal that was made narrower has broken the lines that no longer fit, so that they take more rows. */
  function clear(): void {
    if (shown.length === 0) return
    update.clear()
    if (stdout.columns < columns) {
      const rows = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / stdout.columns)), 0)
      stdout.moveCursor(0, shown.length - rows)
      stdout.clearScreenDown()
    }
    shown = []
  }
}

const NO_WRAP = '\u001b[?7l'
const WRAP = '\u001b[?7h'
