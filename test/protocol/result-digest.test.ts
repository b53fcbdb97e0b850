import { describe, expect, it } from 'vitest'
import { resultDigest } from '../../src/protocol/result-digest.ts'
import { joinedText, textBlocks } from '../../src/protocol/text-blocks.ts'

describe('resultDigest', () => {
  it.each([
    ['line ends', 'a\nb\nc', 'a\r\nb\rc'],
    ['white space at the end', 'a', 'a \n\r\n\t'],
    ['white space at the end of a line', 'a\nb', 'a  \t\nb'],
    ['a blank line and an empty one', 'a\n\nb', 'a\n  \nb'],
  ])('does not see %s', (_what, one, other) => {
    expect(resultDigest('completed', one)).toBe(resultDigest('completed', other))
  })

  it.each([
    ['an indent', 'a', ' a'],
    ['a line end more within', 'a\nb', 'a\n\nb'],
    ['a space within', 'a b', 'a  b'],
    ['case', 'a', 'A'],
  ])('sees %s', (_what, one, other) => {
    expect(resultDigest('completed', one)).not.toBe(resultDigest('completed', other))
  })

  it('sees the status', () => {
    expect(resultDigest('completed', 'a')).not.toBe(resultDigest('failed', 'a'))
  })

  it('does not see the split into blocks', () => {
    const text = 'x'.repeat(50_000)
    expect(resultDigest('completed', joinedText(textBlocks(text)))).toBe(resultDigest('completed', text))
  })

  // In a time that grew with the square of the length, it would not end before the test does.
  it.each([' ', '\n', '\r', ' \n', '\t\r\n', 'a '])('takes a megabyte of %j', (piece) => {
    expect(resultDigest('completed', `${piece.repeat(1_000_000 / piece.length)}b`)).toMatch(/^[0-9a-f]{64}$/)
  })
})
