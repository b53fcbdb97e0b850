import { Chalk } from 'chalk'
import { expect, it } from 'vitest'
import { tableRows } from '../../src/output/table.ts'

const style = new Chalk({ level: 0 })

function lines(rows: readonly (readonly [string | null, string])[], maxWidth?: number): string[] {
  const columns = [
    { title: 'A', cell: ([first]: (typeof rows)[number]) => first, ...(maxWidth === undefined ? {} : { maxWidth }) },
    { title: 'B', cell: ([, second]: (typeof rows)[number]) => second },
  ]
  return tableRows(rows, { record: ([first]) => String(first), columns }).flatMap(
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
  const records = tableRows(['x'], { record: (first) => JSON.stringify({ first }), columns: [] })
  expect(records.map(({ json }) => json)).toEqual(['{"first":"x"}'])
})

it('is a list of cells for each row where the columns have no room beside each other', () => {
  const rows = [
    ['first', 'a text of some length'],
    ['second', 'another one that is longer still'],
  ] as const
  const columns = [
    { title: 'NAME', cell: ([name]: (typeof rows)[number]) => name },
    { title: 'TEXT', cell: ([, text]: (typeof rows)[number]) => text },
  ]
  const at = (width: number) =>
    tableRows(rows, { record: ([name]) => name, columns }).map(({ text }) => text(style, width))
  expect(at(80)).toEqual(['NAME    TEXT\nfirst   a text of some length', 'second  another one that is longer still'])
  expect(at(30)).toEqual([
    'NAME    TEXT\nfirst   a text of some length',
    'second  another one that is\n        longer still',
  ])
  expect(at(27)).toEqual([
    'name  first\ntext  a text of some length',
    '\nname  second\ntext  another one that is longer still',
  ])
})
