import { HermError } from '../errors.ts'
import { isObject } from './json-text.ts'

export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

/** protocol: 1–100 blocks, each text at most 20,000 characters (taken as UTF-16 units, the stricter reading). */
export const MAX_BLOCKS = 100
export const MAX_BLOCK_CHARS = 20_000

/**
 * Splits a text into blocks that the service accepts, never inside a grapheme.
 * Throws `usage` for a text without a visible character, and for one longer than 100 blocks unless `truncate` is set.
 */
export function textBlocks(text: string, options: { truncate?: boolean } = {}): TextBlock[] {
  if (text.trim() === '') {
    throw new HermError('usage', 'the text is empty', { hint: 'Give some text with --text or --file.' })
  }
  const blocks: TextBlock[] = []
  for (let start = 0; start < text.length; ) {
    if (blocks.length === MAX_BLOCKS) {
      if (options.truncate) return blocks
      throw new HermError(
        'usage',
        `the text is too long: ${text.length} characters do not fit ${MAX_BLOCKS} blocks of ${MAX_BLOCK_CHARS}`,
        {
          hint: 'Shorten it, or let it be cut with --truncate.',
        },
      )
    }
    const end = blockEnd(text, start)
    blocks.push({ type: 'text', text: text.slice(start, end) })
    start = end
  }
  return blocks
}

/** The text of a `content` list, blocks joined; parts that are no text are left out. A bare string is its own text. */
export function joinedText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block) => (isObject(block) && typeof block.text === 'string' ? block.text : '')).join('')
}

/** Where the block that begins at `start` ends: a grapheme boundary, unless one grapheme is longer than a whole block. */
function blockEnd(text: string, start: number): number {
  const limit = start + MAX_BLOCK_CHARS
  if (limit >= text.length) return text.length
  // Made here, since making one takes longer than most commands take to start, and few texts are that long.
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const atLimit = graphemes.segment(text.slice(start, limit + LONGEST_GRAPHEME_CHARS)).containing(MAX_BLOCK_CHARS)
  return atLimit !== undefined && atLimit.index > 0 ? start + atLimit.index : withoutHalfPair(text, limit)
}

function withoutHalfPair(text: string, end: number): number {
  const isHighSurrogate = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
  return isHighSurrogate ? end - 1 : end
}

/** How far past the limit to look; the longest graphemes in use (flags, families of emoji) are far shorter. */
const LONGEST_GRAPHEME_CHARS = 256
