import { pauseMs } from '../client/backoff.ts'
import type { StreamEnd } from '../client/event-stream.ts'
import { RequestError } from '../client/request-error.ts'
import type { Clock } from '../clock.ts'
import { HermError } from '../errors.ts'
import { type LinkedSignal, linkedSignal } from '../linked-signal.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import { createTimeline, type Place, type Timeline, type TimelineUpdate } from '../protocol/timeline.ts'
import { followConnection, type Progress } from './follow-connection.ts'
import { createHistoryIdentity, type HistoryIdentity } from './history-identity.ts'
import type { SessionSource } from './read-history.ts'

export type FollowUpdate =
  | TimelineUpdate
  /** An event that was there when history was first read. */
  | { kind: 'past'; event: RawEvent }
  /** One of those up to the place to go on from: no news, but part of the session's state. */
  | { kind: 'known'; event: RawEvent }
  /** A frame that is no envelope. */
  | { kind: 'other'; name: string; data: string }
  /** History has been read on this connection; what follows is live. */
  | { kind: 'caught_up' }
  | { kind: 'disconnected'; reason: string; pauseMs: number }
  /** The service has another history of the session than before; what follows is still merged with the old one. */
  | { kind: 'begun_anew' }
  /** Comes after what was missed: the `recovered` updates before it happened while the stream was away for `downMs`. */
  | {
      kind: 'reconnected'
      reason: StreamEnd['reason']
      downMs: number
      afterSequence: number | undefined
      recovered: number
    }

export interface FollowOptions extends SessionSource {
  readonly clock: Clock
  readonly random: () => number
  /** Go on from here: what history has up to this place is `known`. */
  readonly after?: Place | undefined
  /** False: give events as soon as they are known, also before earlier ones that are late. */
  readonly ordered?: boolean | undefined
}

/**
 * The updates, as many at a time as came together: a stream may bring hundreds in one piece, and each step of an
 * asynchronous iteration costs more than all that is done with one of them. A batch is worked out while it is read. It
 * must be read to its end before the next is asked for.
 */
export interface Following extends AsyncIterable<Iterable<FollowUpdate>> {
  /** Up to where the updates have been given, the latest one that was read included. */
  place(): Place | undefined
}

/**
 * A session's events, history first and then live, through every disconnect: each once, in order of sequence, and with
 * what was replaced while the stream was away. Subscribe, then read history, then merge: the other order loses what
 * happens in between.
 *
 * Ends only by throwing: the signal's reason; a permanent refusal, at once; `unreachable` when no first connection
 * can be made; the last failure when the service stays away for longer than the budget. Quiet is normal and never ends it.
 */
export function follow(options: FollowOptions): Following {
  const timeline = createTimeline({ after: options.after, ordered: options.ordered ?? true })
  const history = createHistoryIdentity(options.after?.oldest)
  return {
    place() {
      const place = timeline.place()
      return place && { ...place, oldest: history.oldest() }
    },
    [Symbol.asyncIterator]() {
      const left = linkedSignal(options.signal)
      const updates = followUntilLeft({ ...options, timeline, history }, left)
      return {
        next: () => updates.next(),
        // A generator that awaits cannot be left from outside: its wait has to end first.
        async return() {
          left.abort(new Error('the session is no longer followed'))
          await updates.return(undefined as never).catch(() => undefined)
          return { done: true, value: undefined }
        },
      }
    },
  }
}

/** What outlives a connection, and makes up a place. */
interface Memory {
  readonly timeline: Timeline
  readonly history: HistoryIdentity
}

async function* followUntilLeft(
  options: FollowOptions & Memory,
  left: LinkedSignal,
): AsyncGenerator<Iterable<FollowUpdate>, never> {
  try {
    return yield* connectAgainAndAgain({ ...options, signal: left.signal })
  } finally {
    left.unlink()
  }
}

async function* connectAgainAndAgain(options: FollowOptions & Memory): AsyncGenerator<Iterable<FollowUpdate>, never> {
  const { clock, signal } = options
  const progress: Progress = {
    caughtUp: 0,
    lostAt: clock.elapsed(),
    lostBy: 'closed',
    lastEventId: undefined,
    retryMs: 0,
    holeSince: undefined,
    history: options.history,
    heldBack: [],
  }
  for (let failures = 0; ; ) {
    const startedAt = clock.elapsed()
    const before = { caughtUp: progress.caughtUp, sequence: options.timeline.place()?.sequence }
    const end = yield* endOf(options, progress)
    if (progress.caughtUp > before.caughtUp) {
      progress.lostAt = clock.elapsed()
      progress.lostBy = end.reason
    }
    const wasUseful =
      options.timeline.place()?.sequence !== before.sequence || clock.elapsed() - startedAt >= GOOD_CONNECTION_MS
    failures = wasUseful ? 1 : failures + 1
    if (end.error !== undefined && clock.elapsed() - progress.lostAt >= patienceMs(end.error, progress)) throw end.error
    if (end.reason === 'quiet') continue
    const pause = Math.max(
      pauseMs({ attempt: failures, random: options.random, floorMs: end.retryAfterMs }),
      progress.retryMs,
    )
    yield [{ kind: 'disconnected', reason: end.error?.message ?? 'the service closed the stream', pauseMs: pause }]
    await clock.sleep(pause, signal)
  }
}

interface ConnectionEnd {
  readonly reason: StreamEnd['reason']
  readonly error?: HermError
  readonly retryAfterMs?: number | undefined
}

/** Follows one connection to its end. A refusal that will not pass is thrown; what may pass is returned. */
async function* endOf(
  options: FollowOptions & Memory,
  progress: Progress,
): AsyncGenerator<Iterable<FollowUpdate>, ConnectionEnd> {
  try {
    const end = yield* followConnection(options, progress)
    if (end.reason === 'no-content') {
      throw new HermError('failed', 'the service ended the stream and asks not to connect again (204)')
    }
    if (end.reason === 'quiet') await options.client.getSession(options.sessionId, { signal: options.signal })
    return end
  } catch (error) {
    if (!(error instanceof RequestError) || !error.passing) throw error
    return { reason: 'lost', error, retryAfterMs: error.retryAfterMs }
  }
}

/** How long the service may stay away. One that never answered is most likely a wrong address, and said to be at once. */
function patienceMs(error: HermError, { caughtUp }: Progress): number {
  if (caughtUp > 0) return OUTAGE_BUDGET_MS
  return error.status === undefined ? 0 : START_BUDGET_MS
}

/** A connection that lasted this long was no failure, even when nothing happened on it. */
const GOOD_CONNECTION_MS = 10_000
/** How long a service may stay away once it has been reached. Longer than a deployment, shorter than a night in CI. */
const OUTAGE_BUDGET_MS = 15 * 60_000
/** How long a service may be busy at the start; about as long as any other read is tried. */
const START_BUDGET_MS = 10_000
