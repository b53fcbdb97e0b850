import { RequestError } from '../client/request-error.ts'
import { HermError } from '../errors.ts'
import { linkedSignal } from '../linked-signal.ts'
import type { Place } from '../protocol/timeline.ts'
import type { HistorySelection } from './history-selection.ts'
import { limitedClient } from './limited-client.ts'
import { createMessageQueue } from './message-queue.ts'
import { createPasts, type WatchedUpdates } from './pasts.ts'
import { createSessionFeeds, type SessionsMessage } from './session-feeds.ts'
import type { WatchOptions } from './watch.ts'

export interface WatchSessionsOptions extends Omit<WatchOptions, 'sessionId' | 'signal' | 'after' | 'onPlace'> {
  /** The sessions to watch, or the agent all of whose sessions are watched, those to come included. */
  readonly sessions: readonly string[] | { readonly agentId: string }
  readonly signal: AbortSignal
  readonly timeoutMs?: number | undefined
  /** Where to begin in a session, and who is told how far it is handled. */
  readonly placeOf?: ((sessionId: string) => Promise<SessionPlace>) | undefined
  readonly notify: (note: SessionsNote) => void
}

export interface SessionPlace {
  readonly after: Place | undefined
  readonly moved: (place: Place) => void
}

export type SessionsNote =
  /** These sessions of the agent are watched from now on; as many again as are left out are too many at once. */
  | { kind: 'found'; sessionIds: readonly string[]; leftOut: number }
  /** A session of the agent that the service does not give just now: it is tried again, and the others go on. */
  | { kind: 'delayed'; sessionId: string; error: HermError }
  /** A session of the agent that cannot be watched any more; the others go on. */
  | { kind: 'lost'; sessionId: string; error: HermError }
  /** The agent's sessions could not be listed this time. */
  | { kind: 'list_failed'; error: HermError }

type Message = SessionsMessage | { kind: 'pasts_are_late' } | { kind: 'time_is_over' }

/**
 * Watches several sessions side by side: of each the updates in its order, and of each the next ones only when the last were
 * handled, so that a slow reader slows the network down and no place moves past what was printed. What the sessions that are
 * there at the start have in their histories comes in the order of time, but for those that take too long to tell.
 *
 * With `until`, `idle` is waited for in every session; whatever else it names, the first session that has it ends the watch.
 * Throws as `watch` does for a session that was named, and `usage` for too many. Of an agent's sessions one that is gone, or
 * cannot be understood, is told and left out; one that the service does not give for the time being is tried again, as long
 * as the list of sessions can be read now and then.
 */
export async function* watchSessions(options: WatchSessionsOptions): AsyncGenerator<WatchedUpdates, void> {
  const { sessions, until, timeoutMs, notify, clock } = options
  if (!('agentId' in sessions) && sessions.length > MAX_SESSIONS) throw tooMany(sessions.length)
  const left = linkedSignal(options.signal)
  // Nothing is pushed before what the same session pushed last was handled.
  const queue = createMessageQueue<Message>(Number.POSITIVE_INFINITY)
  const client = limitedClient(options.client, CONNECTS_AT_ONCE)
  const feeds = createSessionFeeds({ ...options, client, signal: left.signal }, queue)
  const watched = new Set<string>()
  let isMetByOne = false
  const pasts = createPasts()

  if (timeoutMs !== undefined) pushAfter(timeoutMs, { kind: 'time_is_over' })
  if ('agentId' in sessions) void feeds.feedAgentSessions(sessions.agentId)
  else beginTogether(sessions)
  try {
    for await (const message of queue) {
      switch (message.kind) {
        case 'updates':
          yield* pasts.take(message)
          break
        case 'pasts_are_late':
          yield* pasts.end()
          break
        case 'met':
          watched.delete(message.sessionId)
          isMetByOne = true
          if (isMet()) return
          yield* pasts.leave(message.sessionId)
          break
        case 'found':
          beginFound(message)
          break
        case 'failed':
          yield* pasts.leave(letGo(message))
          if (isMet()) return
          break
        case 'time_is_over':
          if (until !== undefined) throw notMet(timeoutMs ?? 0)
          return
      }
    }
  } finally {
    left.abort(new Error('the sessions are no longer watched'))
    queue.close()
  }

  /** Of sessions that are to be idle, those that are gone are waited for no more. */
  function isMet(): boolean {
    return isMetByOne && (until?.what !== 'idle' || watched.size === 0)
  }

  /** Unless the watch is over by then. */
  function pushAfter(ms: number, message: Message): void {
    clock.sleep(ms, left.signal).then(
      () => queue.push(message),
      () => undefined,
    )
  }

  function beginTogether(sessionIds: readonly string[]): void {
    if (sessionIds.length > 1) {
      for (const sessionId of sessionIds) pasts.await(sessionId)
      pushAfter(PASTS_LIMIT_MS, { kind: 'pasts_are_late' })
    }
    for (const sessionId of sessionIds) begin(sessionId, options.selection)
  }

  function begin(sessionId: string, selection: HistorySelection): void {
    if (watched.has(sessionId)) return
    watched.add(sessionId)
    void feeds.feedSession(sessionId, selection)
  }

  /** What came while the watch was on is shown from its start. */
  function beginFound({ sessionIds, isFirst }: Message & { kind: 'found' }): void {
    const room = Math.max(MAX_SESSIONS - watched.size, 0)
    const chosen = sessionIds.slice(0, room)
    notify({ kind: 'found', sessionIds: chosen, leftOut: sessionIds.length - chosen.length })
    if (isFirst) beginTogether(chosen)
    else for (const sessionId of chosen) begin(sessionId, { from: 'start' })
  }

  /** Gives the session; throws what is no matter of its own. */
  function letGo({ sessionId, error }: Message & { kind: 'failed' }): string {
    options.signal.throwIfAborted()
    if (sessionId === undefined || !('agentId' in sessions) || !isOfOneSession(error)) throw error
    watched.delete(sessionId)
    notify({ kind: 'lost', sessionId, error })
    return sessionId
  }
}

/** It is gone, or what the service says of it cannot be understood. What may pass has been waited for. */
function isOfOneSession(error: unknown): error is HermError {
  if (error instanceof RequestError && error.passing) return false
  return error instanceof HermError && ['not_found', 'rejected', 'failed'].includes(error.kind)
}

function tooMany(count: number): HermError {
  return new HermError('usage', `${count} sessions are too many to watch at once; it takes up to ${MAX_SESSIONS}`, {
    hint: 'Name fewer, and the others in another run.',
  })
}

function notMet(timeoutMs: number): HermError {
  return new HermError('timeout', `what --until waits for did not come within ${timeoutMs / 1000} s`, {
    hint: 'Watch again, or give it longer with --timeout.',
  })
}

/** How many sessions are connected to, or have their history read, at the same time: a service takes a few. */
const CONNECTS_AT_ONCE = 16
/** How long sessions wait for one another's histories: a person would not wait longer to see something. */
const PASTS_LIMIT_MS = 3_000
/** Each holds a connection; the service and the system have limits of their own not far above. */
const MAX_SESSIONS = 1_000
