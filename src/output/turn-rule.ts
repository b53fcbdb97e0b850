import stringWidth from 'fast-string-width'
import { localTime } from './local-time.ts'
import type { Look } from './look.ts'
import { sessionTag } from './session-tag.ts'

/** The line that sets a turn apart from the one before, with the time at which it began. */
export function turnRule({ at, tag }: { at: string | undefined; tag: string }, { style, width }: Look): string[] {
  const head = `── ${localTime(at)} ${tag === '' ? '' : `${sessionTag(tag, width)} `}`
  return ['', style.dim(head + '─'.repeat(Math.max(0, Math.min(width, COLUMNS) - stringWidth(head))))]
}

/** Short enough to stay on one line when the terminal is made narrower. */
const COLUMNS = 39
