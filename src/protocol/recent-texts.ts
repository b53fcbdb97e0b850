import { createHash } from 'node:crypto'

/** Remembers the latest texts by their digests: a frame may be of megabytes. */
export function createRecentTexts() {
  const texts = new Set<string>()
  return {
    /** False when the text is already among them. */
    add(text: string): boolean {
      const digest = digestOf(text)
      if (texts.has(digest)) return false
      texts.add(digest)
      const [oldest] = texts
      if (texts.size > MAX_RECENT_TEXTS && oldest !== undefined) texts.delete(oldest)
      return true
    },
    has: (text: string): boolean => texts.has(digestOf(text)),
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** More ephemeral frames than one replay is likely to repeat, few enough to keep. */
const MAX_RECENT_TEXTS = 1_000
