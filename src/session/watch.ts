import type { RawEvent } from '../protocol/envelope.ts'
import { createSessionFold, type SessionFold } from '../protocol/session-fold.ts'
import type { Place } from '../protocol/timeline.ts'
import type { ToolCall } from '../protocol/tool-call.ts'
import { createEventFilter, type EventFilter, typeMatcher } from './event-filter.ts'
import { type FollowUpdate, follow } from './follow.ts'
import { createHistorySelector, type HistorySelection, type IsShown } from './history-selection.ts'
import { type Observation, type ObserveOptions, observe } from './observe.ts'
import { createCondition, type Until } from './until.ts'

export interface WatchOptions extends ObserveOptions, EventFilter {
  readonly selection: HistorySelection
  /** Which events count among the last ones of a selection; all when left out. */
  readonly isShown?: IsShown | undefined
  /** Go on from here; the selection does not matter then. */
  readonly after?: Place | undefined
  readonly until?: Until | undefined
  /** Called when the one who reads a batch goes on to what follows an update, with the place up to which all is read. */
  readonly onPlace?: ((place: Place) => void) | undefined
  /** Called before the first update: the state of the session, also by what is not shown of it. */
  readonly onStart?: ((sessionId: string, session: WatchedSession) => void) | undefined
}

/** The session as of the latest update; while history is given, that runs ahead of what is shown. */
export interface WatchedSession extends Pick<SessionFold, 'state' | 'call'> {
  /** The calls that the filter lets through, in the order in which they were asked. */
  calls(): ToolCall[]
}

/**
 * The updates of a session that are wanted, in batches as `follow` gives them, until the condition is met. A history that
 * begins anew is given from its start. Throws as `follow` does.
 */
export async function* watch(options: WatchOptions): AsyncGenerator<Iterable<FollowUpdate>, void> {
  let end = yield* watchHistory(options)
  while (end === 'begun_anew') {
    end = yield* watchHistory({ ...options, after: undefined, selection: { from: 'start' } })
  }
}

async function* watchHistory(options: WatchOptions): AsyncGenerator<Iterable<FollowUpdate>, 'met' | 'begun_anew'> {
  const { until, after, onPlace } = options
  const updates = follow(options)
  const fold = createSessionFold()
  const isWanted = createEventFilter(options)
  const history = createHistorySelector(after === undefined ? options.selection : { from: 'start' }, {
    serviceNow: options.client.serviceNow,
    isShown: options.isShown,
  })
  let state = fold.state
  const condition = createCondition(until, { fold, isIdle: () => state().turn.state === 'idle' })
  let isMet = false
  let isAnew = false
  /** Of the past something was given, or is resumed. Before that the reader has no place in it, as where its last events are kept back. */
  let isBegun = after !== undefined
  options.onStart?.(options.sessionId, { ...fold, calls: () => wantedCalls(fold, options) })
  for await (const batch of observe(updates, { ...options, askWhenInDoubt: until?.what === 'idle', fold })) {
    yield shown(batch)
    if (isMet) return 'met'
    if (isAnew) return 'begun_anew'
  }
  return 'met'

  function* shown(batch: Iterable<Observation>): Generator<FollowUpdate, void> {
    for (const observed of batch) {
      const { update, isCurrent } = observed
      state = observed.state
      isMet ||= update !== undefined && isNews(update) && condition.isMetByEvent(update.event)
      for (const wanted of wantedOf(update)) {
        isMet ||= isNews(wanted) && condition.isMetByEvent(wanted.event)
        isBegun ||= update?.kind === 'past'
        yield wanted
        // What was kept back is given one by one, and the place is there already where the last of it is.
        if (wanted !== update && isNews(wanted) && update?.kind !== 'past') tellPlace(wanted.event.envelope.sequence)
      }
      isAnew = update?.kind === 'begun_anew'
      // A place in the history that was is none in the one that begins.
      if (update !== undefined && !isAnew && (isCurrent || isMet || isBegun)) tellPlace()
      isMet ||= isCurrent && condition.isMetByState(update)
      if (isMet || isAnew) return
    }
  }

  function tellPlace(sequence?: number): void {
    const place = onPlace && updates.place()
    if (place !== undefined) onPlace?.(sequence === undefined ? place : { ...place, sequence })
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

function wantedCalls(fold: SessionFold, { types, tool }: EventFilter): ToolCall[] {
  if (types.length > 0 && !typeMatcher(types)('agent.custom_tool_use')) return []
  return [...fold.state().calls.values()].filter(({ name }) => tool === undefined || name === tool)
}

type News = Extract<FollowUpdate, { kind: 'event' | 'result_updated' }>

function isNews(update: FollowUpdate): update is News {
  return update.kind === 'event' || update.kind === 'result_updated'
}

function asNews(event: RawEvent): News {
  return { kind: 'event', event }
}
