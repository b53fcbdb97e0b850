import { describe, expect, it } from 'vitest'
import { excerpt, firstString, isObject, oneLine, parseJson, parseNested } from '../../src/protocol/json-text.ts'

it('parseJson names what is not JSON, shows how it begins, and keeps the cause', () => {
  expect(parseJson(' {"a":1} ', 'the session')).toEqual({ a: 1 })
  expect(() => parseJson('<html>', 'the session')).toThrow(
    expect.objectContaining({
      kind: 'failed',
      message: 'the session is not JSON: <html>',
      cause: expect.any(SyntaxError),
    }),
  )
})

describe('excerpt', () => {
  it.each([
    ['short', 'short'],
    ['  two\r\n\tlines \u2028 of text ', 'two lines of text'],
    ['a\u001b[2J\u0007\u009bb\u0000', 'a [2J b'],
    [`${' \n'.repeat(1000)}text`, 'text'],
    ['', '(empty)'],
    [' \u0000\n', '(empty)'],
    ['x'.repeat(120), 'x'.repeat(120)],
    ['x'.repeat(121), `${'x'.repeat(120)}…`],
  ])('of %j', (body, line) => {
    expect(excerpt(body)).toBe(line)
  })
})

it('firstString passes over what is empty or no string', () => {
  expect(firstString(undefined, null, 1, '', {}, 'b', 'c')).toBe('b')
  expect(firstString(null)).toBeUndefined()
})

it.each([
  [{}, true],
  [[], false],
  [null, false],
  ['a', false],
])('isObject(%j) is %s', (value, expected) => {
  expect(isObject(value)).toBe(expected)
})

it('oneLine takes out the breaks between tokens, and the indents after them', () => {
  expect(oneLine('\n{\r\n  "a b": 1,\n\n\t"c":  2\n}\n')).toBe('{"a b": 1,"c":  2}')
})

it('takes what is nested as deeply as any input of a tool, and refuses what would exhaust the stack', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}"[[${'x'.repeat(1_000)}\\"[["${']'.repeat(levels)}`
  expect(() => parseNested(nested(500))).not.toThrow()
  expect(() => parseNested(nested(501))).toThrow(RangeError)
  expect(() => parseNested(nested(100_000))).toThrow(RangeError)
  expect(() => parseNested('[')).toThrow(SyntaxError)
})
