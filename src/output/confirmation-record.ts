import type { ConfirmationReport } from '../session/confirm-call.ts'
import type { Printable } from './reporter.ts'
import { oneLine } from './visible-text.ts'

/** A `herm_tools.confirmation`: how the approval request of one call is answered. */
export function confirmationRecord({ outcome, sessionId, call, verdict, eventId }: ConfirmationReport): Printable {
  const { toolUseId, name } = call
  const said = verdict === 'allow' ? 'approved' : 'denied'
  const what = `${oneLine(toolUseId)}${name === '' ? '' : `, a call of ${oneLine(name)}`}`
  const as = eventId === undefined ? '' : `, as ${oneLine(eventId)}`
  return {
    json: {
      type: 'herm_tools.confirmation',
      outcome,
      session_id: sessionId,
      tool_use_id: toolUseId,
      name,
      result: verdict,
      event_id: eventId ?? null,
    },
    isSentence: true,
    text: (style) =>
      outcome === 'accepted'
        ? `${style.green(said)}: ${what}${as}`
        : `${style.green(`already ${said}`)}: ${what}${as}; nothing is changed`,
  }
}
