import { expect, it } from 'vitest'
import { indented, jsonForTerminal, oneLine, safeForTerminal, visible } from '../../src/output/visible-text.ts'

it.each([
  ['plain – größer 映画 👩‍🚀', 'plain – größer 映画 👩‍🚀'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007text', ']0;titletext'],
  ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', ']8;;http://x\\link]8;;\\'],
  ['\u001bP never \u001bended', 'P never ended'],
  ['zero\u200bwidth\u2060\ufeff\u00ad\u{e0041}', 'zerowidth'],
  ['pay\u200dpal\ufe0f \u200cx', 'paypal x'],
  ['می\u200cخواهم क्\u200dष ❤\ufe0f 🏳\ufe0f\u200d🌈', 'می\u200cخواهم क्\u200dष ❤\ufe0f 🏳\ufe0f\u200d🌈'],
  ['\ufff9note\ufffa\ufffb', 'note'],
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

it('puts a text of several lines so that none of them can be taken for another', () => {
  expect(indented('broken\u2028\r\nerror: forged\u001b[2J\n')).toBe('broken\n  error: forged')
})

it('lets our own colours through, and nothing else', () => {
  const coloured = '\u001b[1m\u001b[38;2;1;2;3mok\u001b[0m'
  expect(safeForTerminal(`${coloured}\n\t\u001b[2J\u009b31m\u001b]0;x\u0007\u200b`)).toBe(`${coloured}\n\t]0;x`)
})

it('shows JSON on a terminal as the same JSON, with nothing in it that moves or hides', () => {
  const text = 'a\u009b2J\u007f\u202e\u2028\u200b\u{e0041} größer 映画 😀 👩‍🚀'
  const shown = jsonForTerminal(`{"a":\r ${JSON.stringify(text)}}`)
  expect(shown).toBe(String.raw`{"a":  "a\u009b2J\u007f\u202e\u2028\u200b\udb40\udc41 größer 映画 😀 👩‍🚀"}`)
  expect(JSON.parse(shown)).toEqual({ a: text })
})
