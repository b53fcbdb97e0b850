import { oneLine } from './visible-text.ts'

/** A session's id, short enough to stand before every line: its end is what tells one from another. */
export function sessionTag(sessionId: string): string {
  const id = oneLine(sessionId)
  return id.length <= MAX_CHARS ? id : `…${id.slice(1 - MAX_CHARS)}`
}

const MAX_CHARS = 10
