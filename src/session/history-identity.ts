import { isSettled, type RawEvent } from '../protocol/envelope.ts'
import type { OldestEvent } from '../protocol/timeline.ts'

/** Knows a session's history by the oldest event that was seen. */
export interface HistoryIdentity {
  /** What a reading listed that broke off does not count. */
  beginReading(): void
  /** Takes what a reading lists, at once or page by page. */
  add(events: readonly RawEvent[]): void
  /**
   * The reading is over. `another`: it is of another history than the readings before. `empty`: it lists nothing, and they
   * did; whether that is for a while or for good, the age of the session tells.
   */
  endReading(): 'same' | 'another' | 'empty'
  /** Takes an event of the stream. True when it has the oldest one's number and is another: a reading will tell why. */
  contradicts(event: RawEvent): boolean
  /** Whether a session of this age cannot be the one that had the oldest event. */
  isOlderThan(session: { createdAt?: string | null | undefined }): boolean
  oldest(): OldestEvent | undefined
}

/**
 * Tells a history that begins anew, as that of a service that has lost its memory, from one that goes on. One that lags lacks
 * the newest events, and one that is trimmed the oldest; neither has another event in the place of one. `known`: the oldest
 * event that was seen before, by somebody else.
 */
export function createHistoryIdentity(known: OldestEvent | undefined): HistoryIdentity {
  let oldest = known
  let oldestListed: OldestEvent | undefined
  let inItsPlace: RawEvent[] = []
  const beginReading = () => {
    oldestListed = undefined
    inItsPlace = []
  }
  return {
    beginReading,
    add(events) {
      oldestListed = oldestOf(events, oldestListed)
      inItsPlace.push(...events.filter(hasItsNumber))
    },
    endReading() {
      const isAnother = inItsPlace.length > 0 && !inItsPlace.some(isTheSame)
      const isEmpty = oldest !== undefined && oldestListed === undefined
      if (oldest === undefined || isAnother) oldest = oldestListed
      beginReading()
      if (isAnother) return 'another'
      return isEmpty ? 'empty' : 'same'
    },
    contradicts(event) {
      if (oldest === undefined && isSettled(event.envelope) && event.envelope.type !== 'session.tool_updated') {
        oldest = oldestOf([event], undefined)
      }
      return hasItsNumber(event) && !isTheSame(event)
    },
    oldest: () => oldest,
    isOlderThan: ({ createdAt }) => Date.parse(oldest?.createdAt ?? '') < Date.parse(createdAt ?? ''),
  }

  function hasItsNumber({ envelope }: RawEvent): boolean {
    return oldest !== undefined && envelope.sequence === oldest.sequence
  }

  /** A service that counts its ids begins anew with them, too; with the time it does not. */
  function isTheSame({ envelope }: RawEvent): boolean {
    return envelope.id === oldest?.id && isSameTime(envelope.createdAt, oldest?.createdAt)
  }
}

/** However a stream and a listing write it, with or without a fraction of the second. */
function isSameTime(one = '', other = ''): boolean {
  return one === other || Math.abs(Date.parse(one) - Date.parse(other)) < 1_000
}

function oldestOf(events: readonly RawEvent[], before: OldestEvent | undefined): OldestEvent | undefined {
  let oldest = before
  for (const { envelope } of events) {
    const { sequence, id, createdAt } = envelope
    if (sequence !== undefined && sequence < (oldest?.sequence ?? Infinity)) oldest = { sequence, id, createdAt }
  }
  return oldest
}
