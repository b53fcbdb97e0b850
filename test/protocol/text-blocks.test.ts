import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinedText, MAX_BLOCK_CHARS, MAX_BLOCKS, textBlocks } from '../../src/protocol/text-blocks.ts'

describe('textBlocks', () => {
  it.each([
    ['a short text', 'done', 1],
    ['a text of exactly one block', 'x'.repeat(MAX_BLOCK_CHARS), 1],
    ['one character more', 'x'.repeat(MAX_BLOCK_CHARS + 1), 2],
    ['a text of exactly all blocks', 'x'.repeat(MAX_BLOCK_CHARS * MAX_BLOCKS), MAX_BLOCKS],
    ['emoji off the grid', `a${'😀'.repeat(MAX_BLOCK_CHARS)}`, 3],
    ['flags off the grid', `a${'🇨🇭'.repeat(10_000)}`, 3],
    ['families off the grid', `ab${'👩‍👩‍👧‍👦'.repeat(10_000)}`, 6],
    ['accents apart from their letters', `a${'e\u0301'.repeat(MAX_BLOCK_CHARS)}`, 3],
    ['line ends of two characters', `a${'\r\n'.repeat(MAX_BLOCK_CHARS)}`, 3],
    ['a grapheme longer than a block', `a${'\u0301'.repeat(MAX_BLOCK_CHARS * 2)}`, 3],
    ['a grapheme of pairs that is longer than a block', `e${'\u{e0100}'.repeat(MAX_BLOCK_CHARS)}`, 3],
    ['a long grapheme across the limit', `${'x'.repeat(MAX_BLOCK_CHARS - 1)}e${'\u0301'.repeat(1000)}`, 2],
  ])('splits %s', (_what, text, count) => {
    const texts = textBlocks(text).map((block) => block.text)
    expect(texts).toHaveLength(count)
    expect(texts.join('')).toBe(text)
    expect(texts.filter((part) => /\p{Surrogate}/u.test(part))).toEqual([])
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(MAX_BLOCK_CHARS)
  })

  it('never splits a grapheme, and never loses a character', () => {
    const grapheme = fc.constantFrom('a', '\r\n', '😀', '🇨🇭', '👩‍👩‍👧‍👦', 'e\u0301', '각', 'क्षि', '\ud83d', '\n')
    const text = fc.array(fc.tuple(grapheme, fc.integer({ min: 1, max: 9_000 })), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(text, (runs) => {
        const whole = `x${runs.map(([piece, times]) => piece.repeat(times)).join('')}`
        const graphemes = segmenter.segment(whole)
        const texts = textBlocks(whole).map((block) => block.text)
        expect(texts.join('')).toBe(whole)
        let at = 0
        for (const { length } of texts) {
          expect(graphemes.containing(at)?.index).toBe(at)
          expect(length).toBeGreaterThan(0)
          expect(length).toBeLessThanOrEqual(MAX_BLOCK_CHARS)
          at += length
        }
      }),
      { numRuns: 30 },
    )
  })

  it.each(['', ' ', '\r\n\t\u00a0'])('refuses the empty text %j', (text) => {
    expect(() => textBlocks(text)).toThrow(expect.objectContaining({ kind: 'usage' }))
  })

  it('refuses more than all blocks hold, and names the way out', () => {
    const tooLong = `${'x'.repeat(MAX_BLOCK_CHARS * MAX_BLOCKS)}y`
    expect(() => textBlocks(tooLong)).toThrow(
      expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('--truncate') }),
    )
    const cut = textBlocks(tooLong, { truncate: true })
    expect(cut).toHaveLength(MAX_BLOCKS)
    expect(joinedText(cut)).toBe(tooLong.slice(0, -1))
  })
})

describe('joinedText', () => {
  it.each([
    [
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'ab',
    ],
    ['bare', 'bare'],
    [[{ type: 'image' }, null, 'x', { text: 1 }, { text: 'b' }], 'b'],
    [undefined, ''],
    [{ text: 'a' }, ''],
  ])('of %j', (content, text) => {
    expect(joinedText(content)).toBe(text)
  })
})

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
