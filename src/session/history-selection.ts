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

/** Whether an event is one that its reader sees. */
export type IsShown = (event: RawEvent) => boolean

export interface HistorySelector {
  /** Takes the next event of history; gives those that are to be passed on now. */
  take(event: RawEvent): readonly RawEvent[]
  /** The history is over: gives what was kept back, once. */
  end(): readonly RawEvent[]
}

/**
 * Of the last ones, only those count that are shown; the others come with what they stand behind. The time is asked for
 * when the first event is there: only an answer tells the service's.
 */
export function createHistorySelector(
  selection: HistorySelection,
  { serviceNow, isShown = () => true }: Pick<HermClient, 'serviceNow'> & { isShown?: IsShown | undefined },
): HistorySelector {
  if (selection.from === 'last') return lastOnes(selection.count, isShown)
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

function lastOnes(count: number, isShown: IsShown): HistorySelector {
  let kept: RawEvent[] = []
  /** Where in `kept` those stand that count. */
  let counted: number[] = []
  return {
    take(event) {
      if (isShown(event)) counted.push(kept.length)
      kept.push(event)
      // Cut seldom: dropping the first of a long array for every event would cost its length each time.
      if (counted.length >= 2 * count + SLACK) cut()
      return []
    },
    end() {
      cut()
      const last = kept
      kept = []
      counted = []
      return last
    },
  }

  function cut(): void {
    const from = count === 0 ? kept.length : (counted.at(-count) ?? 0)
    kept = kept.slice(from)
    counted = count === 0 ? [] : counted.slice(-count).map((at) => at - from)
  }
}

const SLACK = 64
