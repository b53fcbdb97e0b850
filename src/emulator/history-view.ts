import type { RawEvent } from '../protocol/envelope.ts'
import type { EventLog } from './event-log.ts'

/** How a history is listed, other than whole, oldest first and once. */
export interface HistoryView {
  /** As it was at this time, in milliseconds since the epoch. */
  readonly asOf?: number
  readonly newestFirst?: boolean
  /** After the last page, the cursor leads to the first one again. */
  readonly loops?: boolean
}

export function eventsIn(log: EventLog, { asOf, newestFirst }: HistoryView): readonly RawEvent[] {
  const events = asOf === undefined ? log.events() : log.eventsAsOf(asOf)
  return newestFirst ? events.toReversed() : events
}
