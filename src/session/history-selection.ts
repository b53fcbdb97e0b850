import type { HermClient } from '../client/herm-client.ts'
import type { RawEvent } from '../protocol/envelope.ts'

/** Which part of the history is wanted; what happens later always is. */
export type HistorySelection =
  | { from: 'start' }
  /** Nothing of it. */
  | { from: 'now' }
  /** Events after this sequence number. */
  | { from: 'sequence'; sequence: number }
  /** Events of the last `ms` milliseconds, by the service's clock. */
  | { from: 'ago'; ms: number }
  | { from: 'last'; count: number }

export interface HistorySelector {
  /** Takes the next event of history; gives those that are to be passed on now. */
  take(event: RawEvent): readonly RawEvent[]
  /** The history is over: gives what was kept back, once. */
  end(): readonly RawEvent[]
}

/** The time is asked for when the first event is there: only an answer tells the service's. */
export function createHistorySelector(
  selection: HistorySelection,
  { serviceNow }: Pick<HermClient, 'serviceNow'>,
): HistorySelector {
  if (selection.from === 'last') return lastOnes(selection.count)
  const isWanted = predicateOf(selection, serviceNow)
  return { take: (event) => (isWanted(event) ? [event] : []), end: () => [] }
}

function predicateOf(
  selection: Exclude<HistorySelection, { from: 'last' }>,
  serviceNow: () => number,
): (event: RawEvent) => boolean {
  let since: number | undefined
  switch (selection.from) {
    case 'start':
      return () => true
    case 'now':
      return () => false
    case 'sequence':
      return ({ envelope }) => (envelope.sequence ?? 0) > selection.sequence
    case 'ago':
      return ({ envelope }) => {
        since ??= serviceNow() - selection.ms
        return Date.parse(envelope.createdAt ?? '') >= since
      }
  }
}

function lastOnes(count: number): HistorySelector {
  let kept: RawEvent[] = []
  return {
    take(event) {
      kept.push(event)
      // Cut seldom: dropping the first of a long array for every event would cost its length each time.
      if (kept.length >= 2 * count + SLACK) kept = count === 0 ? [] : kept.slice(-count)
      return []
    },
    end() {
      const last = count === 0 ? [] : kept.slice(-count)
      kept = []
      return last
    },
  }
}

const SLACK = 64
