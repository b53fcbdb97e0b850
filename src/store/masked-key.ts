/** What may be shown of an API key: its last 4 characters, and of a short key nothing. */
export function keyEnd(key: string): string | undefined {
  return key.length >= SHOWABLE_KEY_CHARS ? key.slice(-4) : undefined
}

export function maskedKey(key: string): string {
  return `…${keyEnd(key) ?? ''}`
}

/** Of a shorter key, four characters would be a good part. */
const SHOWABLE_KEY_CHARS = 12
