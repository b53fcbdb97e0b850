import type { RawEvent } from '../protocol/envelope.ts'
import type { Place } from '../protocol/timeline.ts'
import { createEventFilter, type EventFilter } from './event-filter.ts'
import { type FollowUpdate, follow } from './follow.ts'
import { createHistorySelector, type HistorySelection } from './history-selection.ts'
import { type ObserveOptions, observe } from './observe.ts'
import { isMetByEvent, isMetByState, type Until } from './until.ts'

export interface WatchOptions extends ObserveOptions, EventFilter {
  readonly selection: HistorySelection
  /** Go on from here; the selection does not matter then. */
  readonly after?: Place | undefined
  readonly until?: Until | undefined
  /** Called when an update has been handled, with the place up to which all are. */
  readonly onPlace?: ((place: Place) => Promise<void>) | undefined
}

/** The updates of a session that are wanted, until the condition is met. Throws as `follow` does. */
export async function* watch(options: WatchOptions): AsyncGenerator<FollowUpdate, void> {
  const { until, after } = options
  const updates = follow(options)
  const isWanted = createEventFilter(options)
  const history = createHistorySelector(after === undefined ? options.selection : { from: 'start' }, options.client)
  let isMet = false
  for await (const { update, isCurrent, state } of observe(updates, {
    ...options,
    askWhenInDoubt: until?.what === 'idle',
  })) {
    isMet ||= update !== undefined && isNews(update) && isMetByEvent(until, update.event)
    for (const wanted of wantedOf(update)) {
      isMet ||= isNews(wanted) && isMetByEvent(until, wanted.event)
      yield wanted
    }
    // While the past is given, the last events of it may be kept back, and are not handled yet.
    const place = (isCurrent || isMet) && update !== undefined ? updates.place() : undefined
    if (place !== undefined) await options.onPlace?.(place)
    if (isMet || (isCurrent && isMetByState(until, state))) return
  }

  /** What passes the filter: of the past what is selected, the rest as it comes. */
  function wantedOf(update: FollowUpdate | undefined): readonly FollowUpdate[] {
    if (update === undefined) return []
    const passes = !('event' in update) || isWanted(update.event)
    if (update.kind === 'known') return []
    if (update.kind === 'past') return passes ? history.take(update.event).map(asNews) : []
    return [...history.end().map(asNews), ...(passes ? [update] : [])]
  }
}

type News = Extract<FollowUpdate, { kind: 'event' | 'result_updated' }>

function isNews(update: FollowUpdate): update is News {
  return update.kind === 'event' || update.kind === 'result_updated'
}

function asNews(event: RawEvent): News {
  return { kind: 'event', event }
}
