import type { HermError } from '../errors.ts'
import { agentSessions } from './agent-sessions.ts'
import type { HistorySelection } from './history-selection.ts'
import type { MessageQueue } from './message-queue.ts'
import type { PushedUpdates } from './pasts.ts'
import { type WatchOptions, watch } from './watch.ts'
import { watchPatiently } from './watch-patiently.ts'
import type { WatchSessionsOptions } from './watch-sessions.ts'

/** What a watch of several sessions is told by the tasks that feed it. */
export type SessionsMessage =
  | ({ kind: 'updates' } & PushedUpdates)
  /** What `until` names has come in this session. */
  | { kind: 'met'; sessionId: string }
  | { kind: 'found'; sessionIds: readonly string[]; isFirst: boolean }
  /** Without a session: a matter of them all. */
  | { kind: 'failed'; sessionId?: string; error: unknown }

export interface SessionFeeds {
  /** Passes on what happens in one session, to its end; the next batch when the last was handled. */
  feedSession(sessionId: string, selection: HistorySelection): Promise<void>
  /** Passes on which sessions the agent has, as they come. */
  feedAgentSessions(agentId: string): Promise<void>
}

export function createSessionFeeds(
  options: WatchSessionsOptions,
  queue: Pick<MessageQueue<SessionsMessage>, 'push'>,
): SessionFeeds {
  const { sessions, clock, notify } = options
  const isOfAgent = 'agentId' in sessions
  let listedAt = clock.elapsed()

  return {
    async feedSession(sessionId, selection) {
      try {
        const place = await options.placeOf?.(sessionId)
        const how = { ...options, sessionId, selection, after: place?.after, onPlace: place?.moved }
        await queue.push(await endOf(sessionId, how))
      } catch (error) {
        await queue.push({ kind: 'failed', error })
      }
    },
    async feedAgentSessions(agentId) {
      let isFirst = true
      try {
        for await (const sessionIds of agentSessions({ ...options, agentId, onLook })) {
          await queue.push({ kind: 'found', sessionIds, isFirst })
          isFirst = false
        }
      } catch (error) {
        await queue.push({ kind: 'failed', error })
      }
    },
  }

  async function endOf(
    sessionId: string,
    how: WatchOptions & Pick<WatchSessionsOptions, 'signal'>,
  ): Promise<SessionsMessage> {
    try {
      const mayGoOn = (error: HermError) => isOnlyDelayed(sessionId, error)
      for await (const updates of isOfAgent ? watchPatiently({ ...how, mayGoOn }) : watch(how)) {
        await new Promise<void>((handled) => void queue.push({ kind: 'updates', sessionId, updates, handled }))
      }
      return { kind: 'met', sessionId }
    } catch (error) {
      return { kind: 'failed', sessionId, error }
    }
  }

  /** A service that gives neither the session nor, for long enough, the list of sessions is away. */
  function isOnlyDelayed(sessionId: string, error: HermError): boolean {
    if (clock.elapsed() - listedAt >= AWAY_MS) return false
    notify({ kind: 'delayed', sessionId, error })
    return true
  }

  function onLook(error: HermError | undefined): void {
    if (error === undefined) listedAt = clock.elapsed()
    else notify({ kind: 'list_failed', error })
  }
}

/** A service whose list cannot be read for so long is away, as when a stream is given up. */
const AWAY_MS = 15 * 60_000
