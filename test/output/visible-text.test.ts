import { expect, it } from 'vitest'
import { oneLine, visible } from '../../src/output/visible-text.ts'

it.each([
  ['plain – größer 映画 👩‍🚀', 'plain – größer 映画 👩‍🚀'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001b\u001b[31m[31m', '[31m'],
  ['\u009b31mC1', 'C1'],
  ['a\u0000b\u0008c\u007fd\re', 'abcde'],
  ['to\u202eleft\u202c \u2066iso\u2069\u200f\u061c', 'toleft iso'],
  ['line\u2028sep\u2029', 'linesep'],
  ['keeps\n\ttabs and lines', 'keeps\n\ttabs and lines'],
])('%j is shown as %j', (text, expected) => {
  expect(visible(text)).toBe(expected)
})

it('puts a text on one line', () => {
  expect(oneLine(' a\r\n\n\tb\u001b[2J  c ')).toBe('a b c')
})
