import type { Envelope } from './envelope.ts'
import type { TurnEvent } from './turn-event.ts'

/** One turn event, and when it happened. */
export interface Mark<T extends TurnEvent = TurnEvent> {
  readonly sequence: number
  /** The service's time of it (ISO 8601), where it gave one. */
  readonly createdAt: string | undefined
  readonly event: T
}

/** The latest turn events of a session, by what they say. Latest by sequence: the order of arrival does not matter. */
export interface Marks {
  turn: Mark | undefined
  /** The latest `session.status_idle` that ended a turn. */
  end: Mark | undefined
  blocked: Mark<TurnEvent & { state: 'blocked' }> | undefined
  /** The latest sign of the turn going on, other than another call. */
  activity: Mark | undefined
}

export function newMarks(): Marks {
  return { turn: undefined, end: undefined, blocked: undefined, activity: undefined }
}

export function markTurn(latest: Marks, event: TurnEvent, envelope: Envelope): void {
  const { sequence = 0, createdAt } = envelope
  const mark = { sequence, createdAt, event }
  latest.turn = later(latest.turn, mark)
  if (event.state === 'idle') latest.end = later(latest.end, mark)
  if (event.state === 'blocked') latest.blocked = later(latest.blocked, { sequence, createdAt, event })
  if (event.state === 'running' && !isAsking(envelope)) latest.activity = later(latest.activity, mark)
}

/** Milliseconds since the epoch; NaN when the service gave no time. Worked out when asked for: few of the marks are. */
export function timeOf({ createdAt = '' }: Mark): number {
  return Date.parse(createdAt)
}

/** Calls may be asked for side by side: one that follows another does not mean that the first was given up. */
function isAsking({ type }: Envelope): boolean {
  return type === 'agent.custom_tool_use' || type === 'agent.approval_request'
}

function later<T extends TurnEvent>(known: Mark<T> | undefined, seen: Mark<T>): Mark<T> {
  return known === undefined || seen.sequence > known.sequence ? seen : known
}
