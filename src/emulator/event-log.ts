import type { Clock } from '../clock.ts'
import { type Envelope, eventOf, type RawEvent } from '../protocol/envelope.ts'
import type { NewId } from './ids.ts'

/** What an event says: the `payload` of its envelope. */
export interface Payload {
  readonly type: string
  readonly [field: string]: unknown
}

/** The history of one session, and whoever follows it live. */
export interface EventLog {
  append(payload: Payload): RawEvent
  /**
   * protocol: a final takes the place of the running result, under its id and sequence. Only live streams are told, by an
   * ephemeral `session.tool_updated`.
   */
  replaceResult(running: RawEvent, payload: Payload): RawEvent
  /** In order of sequence; the event of sequence n stands at n - 1. */
  events(): readonly RawEvent[]
  /** The same as it was at a time, in milliseconds since the epoch. */
  eventsAsOf(time: number): readonly RawEvent[]
  /** How many events come up to and including this one; undefined when there is no such event. */
  countThrough(eventId: string): number | undefined
  /** Calls `listener` with each event from now on; the function returned ends that. */
  subscribe(listener: (event: RawEvent) => void): () => void
}

export function createEventLog(options: { sessionId: string; clock: Clock; newId: NewId }): EventLog {
  const { sessionId, clock, newId } = options
  const events: RawEvent[] = []
  const counts = new Map<string, number>()
  /** By the id that the two share: what a final took the place of. */
  const replaced = new Map<string, RawEvent>()
  const listeners = new Set<(event: RawEvent) => void>()

  return {
    append(payload) {
      const at = timestamp()
      const event = eventOf({
        id: newId('evt'),
        type: payload.type,
        sessionId,
        sequence: events.length + 1,
        status: 'complete',
        payload,
        processedAt: at,
        createdAt: at,
      })
      events.push(event)
      counts.set(event.envelope.id as string, events.length)
      tell(event)
      return event
    },
    replaceResult(running, payload) {
      const updated = eventOf({ ...running.envelope, payload, processedAt: timestamp() })
      events[(updated.envelope.sequence as number) - 1] = updated
      replaced.set(updated.envelope.id as string, running)
      tell(eventOf(patchOf(updated.envelope, timestamp())))
      return updated
    },
    events: () => events,
    eventsAsOf(time) {
      const isPast = (at: unknown) => Date.parse(at as string) <= time
      return events
        .filter(({ envelope }) => isPast(envelope.createdAt))
        .map((event) =>
          isPast(event.envelope.processedAt) ? event : (replaced.get(event.envelope.id as string) ?? event),
        )
    },
    countThrough: (eventId) => counts.get(eventId),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  function tell(event: RawEvent): void {
    for (const listener of listeners) listener(event)
  }

  function timestamp(): string {
    return new Date(clock.now()).toISOString()
  }
}

/** Assumed: an ephemeral frame has neither an id nor a sequence of its own. */
function patchOf(updated: Envelope, createdAt: string): Envelope {
  const type = 'session.tool_updated'
  const { tool_use_id } = updated.payload
  return {
    type,
    sessionId: updated.sessionId,
    payload: { type, tool_use_id, event_id: updated.id, payload: updated.payload },
    createdAt,
  }
}
