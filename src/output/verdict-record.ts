import { shellWord } from '../protocol/shell-word.ts'
import type { Verdict } from '../session/reconcile.ts'
import type { JournalEntry } from '../store/journal.ts'
import { isOpen } from '../store/which-entries.ts'
import type { Printable } from './reporter.ts'
import { oneLine } from './visible-text.ts'

export function verdictRecord({ entry, verdict, eventId, reason, isGone }: Verdict): Printable {
  return {
    json: {
      type: 'herm_tools.verdict',
      session_id: entry.sessionId,
      tool_use_id: entry.toolUseId,
      verdict,
      event_id: eventId ?? null,
      reason: reason ?? null,
    },
    isSentence: true,
    text: (style) => {
      const colour = verdict === 'recorded' ? style.green : verdict === 'open' ? style.dim : style.yellow
      const as = eventId === undefined ? '' : ` (${oneLine(eventId)})`
      return `${colour(verdict.replace('_', ' '))}  ${oneLine(entry.toolUseId)} in ${oneLine(entry.sessionId)}${as}: ${oneLine(reason ?? meanings[verdict])}${isGone ? forgetting(entry) : ''}`
    },
  }
}

/** A service that was reset, as an emulator that is started anew, will never have it again. */
function forgetting(entry: JournalEntry): string {
  const { toolUseId, sessionId } = entry
  const force = isOpen(entry) ? ' --force' : ''
  const words = [shellWord(oneLine(toolUseId)), '--session', shellWord(oneLine(sessionId))].join(' ')
  return `; if the service was reset: herm-tools jobs forget ${words}${force}`
}

const meanings: Record<Verdict['verdict'], string> = {
  recorded: 'history has it',
  not_accepted: 'it was not accepted; run its command again to send it',
  conflict: 'history has a different final',
  missing: 'it was accepted, but history does not show it',
  open: 'no final was sent',
  unknown: 'it could not be found out',
}
