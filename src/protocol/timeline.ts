import { createChangeableEvents } from './changeable-events.ts'
import type { Envelope, RawEvent } from './envelope.ts'
import { isOutdated, isSameVersion, type Version, versionOf } from './event-version.ts'
import { createRecentTexts } from './recent-texts.ts'
import { createSkippedNumbers } from './skipped-numbers.ts'
import { toolEvent } from './tool-events.ts'
import type { ResultStatus } from './user-events.ts'

export type TimelineUpdate =
  | { kind: 'event'; event: RawEvent }
  /** History shows another version of a result than the one seen: it was replaced while nobody told us. */
  | { kind: 'result_updated'; event: RawEvent; previousStatus: ResultStatus }

/** Where a reader stopped: what `--resume` needs in order to go on without a gap. */
export interface Place {
  /** The last sequence handled. */
  readonly sequence: number
  /** The event ids of the running results seen up to there; each may have been replaced since. */
  readonly runningResults: readonly string[]
  /** What tells this history from one that begins anew: the oldest event that was seen, where one was. */
  readonly oldest?: OldestEvent | undefined
}

export type OldestEvent = Pick<Envelope, 'sequence' | 'id' | 'createdAt'>

export interface Timeline {
  /** Takes what history lists, or what a stream sends; `take` then says what of it is news. */
  add(events: readonly RawEvent[], origin: 'history' | 'live'): void
  /** The news in order of sequence, up to a hole in the numbers if there is one. To be read to its end before the next `add`. */
  take(): Generator<TimelineUpdate, void>
  /** True while events are held back because a number before them is missing; to be asked after `take`. */
  hasHole(): boolean
  /** The missing numbers are not events: this session's numbering has holes, and they mean nothing from now on. */
  acceptHoles(): void
  /** Up to where updates have been taken. */
  place(): Place | undefined
}

/**
 * Merges what history and the stream tell of one session: each event once, in order of sequence. It remembers the last
 * sequence, the numbers skipped, and the events that may still change; so its size does not grow with the session.
 *
 * `after` is the place of an earlier reader: everything up to it counts as seen. With `ordered: false` nothing is held
 * back: for a reader that folds, and would rather have an event now than in its place.
 */
export function createTimeline({
  after,
  ordered = true,
}: {
  after?: Place | undefined
  ordered?: boolean
} = {}): Timeline {
  let cursor = after?.sequence
  // A hole means a late event only where the numbers are known to have none of their own: the first history tells.
  let numbersAreDense = true
  let historyWasRead = false
  /** The events that have the number at the cursor, by id; unknown for those before `after`. */
  let atCursor: Map<string, RawEvent> | undefined
  let incoming: { event: RawEvent; origin: 'history' | 'live' }[] = []
  const held = new Map<string, RawEvent>()
  const skipped = createSkippedNumbers()
  const changeable = createChangeableEvents(after?.runningResults ?? [])
  const ephemeral = createRecentTexts()

  return {
    add(events, origin) {
      const sorted = origin === 'history' ? [...events].sort(bySequence) : events
      if (origin === 'history' && !historyWasRead && sorted.length > 0) {
        historyWasRead = true
        numbersAreDense &&= !hasGaps(sorted)
        if (cursor === undefined) startBefore([...sorted, ...incoming.map(({ event }) => event), ...held.values()])
      }
      for (const event of sorted) incoming.push({ event, origin })
    },
    *take() {
      const arrived = incoming
      incoming = []
      for (const { event, origin } of arrived) yield* sortIn(event, origin)
      yield* release()
    },
    hasHole: () => held.size > 0,
    acceptHoles() {
      numbersAreDense = false
    },
    place() {
      return cursor === undefined ? undefined : { sequence: cursor, runningResults: changeable.runningResults() }
    },
  }

  /** What lies before the oldest event known is no hole, but may still turn up late. */
  function startBefore(events: readonly RawEvent[]): void {
    let first = Number.POSITIVE_INFINITY
    for (const { envelope } of events) first = Math.min(first, envelope.sequence ?? first)
    if (first === Number.POSITIVE_INFINITY) return
    cursor = first - 1
    skipped.add(Number.NEGATIVE_INFINITY, cursor)
  }

  function* sortIn(event: RawEvent, origin: 'history' | 'live'): Generator<TimelineUpdate> {
    const { sequence } = event.envelope
    if (sequence === undefined || event.envelope.type === 'session.tool_updated') yield* passEphemeral(event)
    else if (cursor === undefined || sequence > cursor) {
      if (!ordered || isNext(sequence, origin)) yield moveTo(event, sequence)
      else hold(event, sequence)
    } else if (skipped.remove(sequence) || isAnotherAtCursor(event, sequence)) yield emit(event)
    else if (isNewVersion(event, sequence)) yield emitNewVersion(event, origin)
  }

  /** Nearly always, a stream's next event is the next in order. What history lists is sorted out first: it may list two versions. */
  function isNext(sequence: number, origin: 'history' | 'live'): boolean {
    return origin === 'live' && held.size === 0 && cursor !== undefined && sequence === cursor + 1
  }

  /** Frames without a place in the order are passed on at once, and once: a service may replay them too. */
  function* passEphemeral(event: RawEvent): Generator<TimelineUpdate> {
    if (!ephemeral.add(event.raw)) return
    const patch = toolEvent(event.envelope)
    if (patch?.kind === 'result' && patch.eventId !== undefined && patch.status !== 'running') {
      changeable.settle(patch.eventId)
    }
    yield { kind: 'event', event }
  }

  function hold(event: RawEvent, sequence: number): void {
    const key = `${sequence} ${event.envelope.id ?? ''}`
    const known = held.get(key)
    if (known === undefined || !isOutdated(versionOf(event), versionOf(known))) held.set(key, event)
  }

  function* release(): Generator<TimelineUpdate> {
    const waiting = held.size < 2 ? [...held] : [...held].sort(([, a], [, b]) => bySequence(a, b))
    for (const [key, event] of waiting) {
      const sequence = event.envelope.sequence ?? 0
      if (numbersAreDense && sequence > (cursor ?? FIRST_SEQUENCE - 1) + 1) return
      held.delete(key)
      yield moveTo(event, sequence)
    }
  }

  /** The numbers between may still turn up. */
  function moveTo(event: RawEvent, sequence: number): TimelineUpdate {
    skipped.add(cursor === undefined ? Number.NEGATIVE_INFINITY : cursor + 1, sequence - 1)
    if (sequence !== cursor) atCursor = new Map()
    cursor = sequence
    return emit(event)
  }

  /** "Monotonic" need not mean that no two events share a number. */
  function isAnotherAtCursor({ envelope }: RawEvent, sequence: number): boolean {
    return (
      sequence === cursor &&
      atCursor !== undefined &&
      !atCursor.has(envelope.id ?? '') &&
      changeable.versionOf(envelope.id ?? '') === undefined
    )
  }

  function isNewVersion(event: RawEvent, sequence: number): boolean {
    const id = event.envelope.id ?? ''
    const known = changeable.versionOf(id) ?? (sequence === cursor ? growing(id) : undefined)
    if (known === undefined) return false
    const seen = versionOf(event)
    return !isSameVersion(known, seen) && !isOutdated(seen, known)
  }

  /** The latest event, unless it is a result: a message may be sent again as it grows. */
  function growing(id: string): Version | undefined {
    const event = atCursor?.get(id)
    const version = event === undefined ? undefined : versionOf(event)
    return version?.status === undefined ? version : undefined
  }

  function emitNewVersion(event: RawEvent, origin: 'history' | 'live'): TimelineUpdate {
    const previousStatus = changeable.versionOf(event.envelope.id ?? '')?.status
    const update = emit(event)
    return origin === 'history' && previousStatus !== undefined
      ? { kind: 'result_updated', event, previousStatus }
      : update
  }

  function emit(event: RawEvent): TimelineUpdate {
    const { id, sequence } = event.envelope
    if (sequence === cursor) atCursor?.set(id ?? '', event)
    changeable.add(event)
    return { kind: 'event', event }
  }
}

function hasGaps(sorted: readonly RawEvent[]): boolean {
  const sequences = sorted.flatMap(({ envelope }) => envelope.sequence ?? [])
  return sequences.some((sequence, index) => index > 0 && sequence - (sequences[index - 1] ?? 0) > 1)
}

function bySequence(a: RawEvent, b: RawEvent): number {
  return (a.envelope.sequence ?? 0) - (b.envelope.sequence ?? 0)
}

/** Assumed: a session's numbers begin here. Matters only for a stream that speaks before history lists anything. */
const FIRST_SEQUENCE = 1
