import type { Envelope, RawEvent } from '../protocol/envelope.ts'

/** Knows a session's history by its oldest event. */
export interface HistoryIdentity {
  /** Takes a reading. True when it is of another history than the readings before. */
  isAnother(events: readonly RawEvent[]): boolean
  /** Whether an event of the stream has the oldest one's number and is another: a reading will tell why. */
  isDoubted(event: RawEvent): boolean
}

/**
 * Tells a history that begins anew, as that of a service that has lost its memory, from one that goes on. One that lags lacks
 * the newest events, and one that is trimmed the oldest; neither has another event in the place of one.
 */
export function createHistoryIdentity(): HistoryIdentity {
  let oldest: Envelope | undefined
  return {
    isAnother(events) {
      const inItsPlace = events.filter(hasItsNumber)
      const isAnother = inItsPlace.length > 0 && !inItsPlace.some(isTheSame)
      if (oldest === undefined || isAnother) oldest = oldestOf(events)
      return isAnother
    },
    isDoubted: (event) => hasItsNumber(event) && !isTheSame(event),
  }

  function hasItsNumber({ envelope }: RawEvent): boolean {
    return oldest !== undefined && envelope.sequence === oldest.sequence
  }

  /** A service that counts its ids begins anew with them, too; with the time it does not. */
  function isTheSame({ envelope }: RawEvent): boolean {
    return envelope.id === oldest?.id && envelope.createdAt === oldest?.createdAt
  }
}

function oldestOf(events: readonly RawEvent[]): Envelope | undefined {
  let oldest: Envelope | undefined
  for (const { envelope } of events) {
    if (envelope.sequence !== undefined && envelope.sequence < (oldest?.sequence ?? Infinity)) oldest = envelope
  }
  return oldest
}
