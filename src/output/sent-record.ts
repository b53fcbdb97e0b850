import type { DrivingEvent } from '../protocol/user-events.ts'
import type { Printable } from './reporter.ts'
import { oneLine } from './visible-text.ts'

/** A `herm_tools.message`, `.steer` or `.interrupt`: the service has accepted it. */
export function sentRecord(sent: {
  type: DrivingEvent['type']
  sessionId: string
  eventId: string | undefined
}): Printable {
  const { sessionId, eventId } = sent
  const what = whats[sent.type]
  const as = eventId === undefined ? '' : ` as ${oneLine(eventId)}`
  return {
    json: { type: `herm_tools.${what}`, outcome: 'accepted', session_id: sessionId, event_id: eventId ?? null },
    isSentence: true,
    text: (style) => `${style.green('accepted')}: ${what} to ${oneLine(sessionId)}${as}`,
  }
}

const whats = { 'user.message': 'message', 'user.steer': 'steer', 'user.interrupt': 'interrupt' } as const
