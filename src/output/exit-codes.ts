import { errorKinds } from '../errors.ts'
import type { Printable } from './reporter.ts'
import { tableRows } from './table.ts'

/** `help exit-codes`; `width` in columns, for a person. */
export function exitCodeTable(width: number): Printable[] {
  const failures = Object.entries(errorKinds).map(([kind, { exitCode, meaning }]) => ({
    code: exitCode,
    kind,
    meaning,
  }))
  const rows = [{ code: 0, kind: 'done', meaning: 'done; also: this same result was already recorded' }, ...failures]
  return tableRows(rows, {
    record: (row) => ({ type: 'herm_tools.exit_code', ...row }),
    columns: [
      { title: 'CODE', cell: ({ code }) => String(code) },
      { title: 'KIND', cell: ({ kind }) => kind },
      { title: 'MEANING', cell: ({ meaning }) => meaning },
    ],
    width,
  })
}
