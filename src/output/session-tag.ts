import { oneLine } from './visible-text.ts'

/** A session's id as it stands before lines of `width` columns: whole where it fits, else its end, which tells it from others. */
export function sessionTag(sessionId: string, width: number): string {
  const id = oneLine(sessionId)
  const room = Math.max(MIN_CHARS, Math.floor(width / 4))
  return id.length <= room ? id : `…${id.slice(1 - room)}`
}

/** Fewer would hardly tell one session from another. */
const MIN_CHARS = 10
