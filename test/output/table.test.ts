import { Chalk } from 'chalk'
import { expect, it } from 'vitest'
import { tableRows } from '../../src/output/table.ts'

const style = new Chalk({ level: 0 })

function lines(rows: readonly (readonly [string | null, string])[], maxWidth?: number): string[] {
  const columns = [
    { title: 'A', cell: ([first]: (typeof rows)[number]) => first, ...(maxWidth === undefined ? {} : { maxWidth }) },
    { title: 'B', cell: ([, second]: (typeof rows)[number]) => second },
  ]
  return tableRows(rows, { record: ([first]) => ({ first }), columns }).flatMap(
    ({ text }) => text(style)?.split('\n') ?? [],
  )
}

it('aligns wide characters, combined ones and emoji by the columns that they take', () => {
  expect(
    lines([
      ['映画', '1'],
      ['e\u0301', '2'],
      ['👩‍👩‍👧', '3'],
    ]),
  ).toEqual(['A     B', '映画  1', 'e\u0301     2', '👩‍👩‍👧    3'])
})

it('shows a dash for nothing, and leaves out line breaks and control characters', () => {
  expect(
    lines([
      [null, 'x\ny'],
      ['', '\u001b[31mred\u202e'],
    ]),
  ).toEqual(['A  B', '-  x y', '-  red'])
})

it('cuts between graphemes, and never past the width', () => {
  expect(lines([['abcd', '1']], 4)).toEqual(['A     B', 'abcd  1'])
  expect(lines([['abcde', '1']], 4)).toEqual(['A     B', 'abc…  1'])
  expect(lines([['映画館', '1']], 4)).toEqual(['A    B', '映…  1'])
  expect(lines([['ab👩‍👩‍👧cd', '1']], 4)).toEqual(['A    B', 'ab…  1'])
})

it('has no head without rows, and a record for each row', () => {
  expect(lines([])).toEqual([])
  expect(tableRows(['x'], { record: (first) => ({ first }), columns: [] }).map(({ json }) => json)).toEqual([
    { first: 'x' },
  ])
})
