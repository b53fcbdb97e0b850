import type { StreamEnd } from '../client/event-stream.ts'
import type { StreamFrame } from '../client/stream-frames.ts'
import type { Clock } from '../clock.ts'
import { linkedSignal } from '../linked-signal.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import type { Place, Timeline } from '../protocol/timeline.ts'
import { type Feed, feedHistory, feedSession, feedStream, type Message } from './connection-feeds.ts'
import { firstReading } from './first-reading.ts'
import type { FollowUpdate } from './follow.ts'
import type { HistoryIdentity } from './history-identity.ts'
import { createMessageQueue } from './message-queue.ts'
import type { SessionSource } from './read-history.ts'

/** What outlives a connection. */
export interface Progress {
  /** How many connections have come as far as to read history. */
  caughtUp: number
  /** When and how the last connection that came so far was lost; before the first, when the attempts began. */
  lostAt: number
  lostBy: StreamEnd['reason']
  lastEventId: string | undefined
  /** The pause that the service asked for with `retry:`, in milliseconds. */
  retryMs: number
  /** Since when a number has been missing before events that are there. */
  holeSince: number | undefined
  history: HistoryIdentity
  /** What the pages of a reading brought: until it is over they may be of another history than what was given before. */
  readonly heldBack: FollowUpdate[]
}

/**
 * One connection: the stream and the readings of history feed one queue, and one loop turns it into updates, all at once
 * that a message brings; see Following.
 * Gives no event before history is read, since only then the order is known; where it does not matter, as history is read.
 */
export async function* followConnection(
  options: SessionSource & {
    clock: Clock
    timeline: Timeline
    after?: Place | undefined
    ordered?: boolean | undefined
  },
  progress: Progress,
): AsyncGenerator<Iterable<FollowUpdate>, StreamEnd> {
  const { timeline, clock } = options
  const left = linkedSignal(options.signal)
  const queue = createMessageQueue<Message>(QUEUE_CAPACITY)
  const feed: Feed = { ...options, ordered: options.ordered ?? true, signal: left.signal, queue }
  let end: StreamEnd | undefined
  let isOver = false
  let caughtUp = false
  let lookingIntoHole = false
  let recovered = 0

  void feedStream(feed, progress.lastEventId)
  try {
    for await (const message of queue) {
      if (message.kind === 'failed') throw message.error
      yield takeMessage(message)
      if (isOver && end !== undefined) return end
    }
    throw new Error('the queue of a connection ended before the connection did')
  } finally {
    left.abort(new Error('the connection was left'))
    queue.close()
  }

  function* takeMessage(message: Exclude<Message, { kind: 'failed' }>): Generator<FollowUpdate, void> {
    switch (message.kind) {
      case 'open':
        progress.history.beginReading()
        void feedHistory(feed, { pauseMs: 0 })
        break
      case 'frames':
        for (const frame of message.frames) yield* takeFrame(frame)
        break
      case 'page':
        progress.history.add(message.events)
        timeline.add(message.events, 'history')
        if (progress.caughtUp === 0) yield* timeline.take()
        else for (const update of timeline.take()) progress.heldBack.push(update)
        break
      case 'history':
        yield* takeHistory(message.events)
        lookingIntoHole = false
        break
      case 'session':
        if (progress.history.isOlderThan(message.session)) yield { kind: 'begun_anew' }
        break
      case 'end':
        end = message
        // Then it was never open, and no history is on its way.
        isOver = message.reason === 'no-content'
    }
    if (!caughtUp) return
    yield* timeline.take()
    isOver ||= end !== undefined
    if (!isOver) yield* lookIntoHole()
  }

  function* takeFrame(frame: StreamFrame): Generator<FollowUpdate, void> {
    switch (frame.kind) {
      case 'event':
        if (caughtUp && progress.history.contradicts(frame.event)) void feedHistory(feed, { pauseMs: 0 })
        timeline.add([frame.event], 'live')
        break
      case 'id':
        progress.lastEventId = frame.id
        break
      case 'other':
        if (caughtUp) yield* timeline.take()
        yield frame
        break
      case 'retry':
        progress.retryMs = Math.min(frame.ms, MAX_RETRY_MS)
    }
  }

  function* takeHistory(events: RawEvent[]): Generator<FollowUpdate> {
    progress.history.add(events)
    const reading = progress.history.endReading()
    if (reading === 'another') yield { kind: 'begun_anew' }
    if (reading === 'empty') void feedSession(feed)
    yield* counted(progress.heldBack.splice(0))
    const afterSequence = timeline.place()?.sequence
    timeline.add(events, 'history')
    if (caughtUp) return
    caughtUp = true
    const downMs = clock.elapsed() - progress.lostAt
    if (progress.caughtUp === 0) {
      yield* firstReading(events, { timeline, after: options.after })
    } else {
      yield* counted(timeline.take())
      yield { kind: 'reconnected', reason: progress.lostBy, downMs, afterSequence, recovered }
    }
    progress.caughtUp++
    yield { kind: 'caught_up' }
    // Assumed: an accepted event may take some seconds to be listed; one that came just before the stream opened is
    // in neither.
    void feedHistory(feed, { pauseMs: LAG_LIMIT_MS })
  }

  function* counted(updates: Iterable<FollowUpdate>): Generator<FollowUpdate> {
    for (const update of updates) {
      recovered++
      yield update
    }
  }

  /** A missing number is an event that history lists late, or no event at all; time tells. */
  function* lookIntoHole(): Generator<FollowUpdate> {
    if (!timeline.hasHole()) {
      progress.holeSince = undefined
      return
    }
    progress.holeSince ??= clock.elapsed()
    const ageMs = clock.elapsed() - progress.holeSince
    if (ageMs >= LAG_LIMIT_MS) {
      timeline.acceptHoles()
      yield* timeline.take()
    } else if (!lookingIntoHole) {
      lookingIntoHole = true
      void feedHistory(feed, { pauseMs: Math.max(ageMs, FIRST_LOOK_MS) })
    }
  }
}

/** Pieces of the stream, of up to 64 KiB each, that wait for a slow reader; past this the network waits. */
const QUEUE_CAPACITY = 4
/** How late history may list an event ("some seconds"). */
const LAG_LIMIT_MS = 5_000
/** The first look into a hole; the next ones after twice the time each. */
const FIRST_LOOK_MS = 250
/** A service cannot ask for a longer pause with `retry:`: nobody would notice that it is back. */
const MAX_RETRY_MS = 60_000
