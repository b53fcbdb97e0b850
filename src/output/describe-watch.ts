import type { SessionsNote } from '../session/watch-sessions.ts'
import { countText } from './count-text.ts'
import type { Reporter } from './reporter.ts'

/** Says on stderr which sessions of an agent are watched, and which are not. */
export function reportSessions(reporter: Reporter, note: SessionsNote): void {
  switch (note.kind) {
    case 'found': {
      const { sessionIds, leftOut } = note
      if (leftOut > 0)
        reporter.warn(`${countText(leftOut, 'more session')} would be too many to watch at once; name those you mean`)
      reporter.note(sessionIds.length === 0 ? 'no session yet; waiting for one' : `watching ${listed(sessionIds)}`)
      return
    }
    case 'delayed':
      reporter.note(`session ${note.sessionId} cannot be watched just now (${note.error.message}); trying again`)
      return
    case 'lost':
      reporter.warn(`session ${note.sessionId} is watched no more: ${note.error.message}`)
      return
    case 'list_failed':
      reporter.note(`new sessions could not be looked for (${note.error.message}); trying again`)
  }
}

function listed(sessionIds: readonly string[]): string {
  const shown = sessionIds.slice(0, SHOWN_IDS).join(', ')
  const more = sessionIds.length - SHOWN_IDS
  return more > 0 ? `${shown} and ${more} more` : shown
}

const SHOWN_IDS = 5
