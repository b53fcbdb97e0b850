import type { HermClient } from '../client/herm-client.ts'
import type { Clock } from '../clock.ts'
import { HermError } from '../errors.ts'
import { listSessions } from './list-sessions.ts'

export interface AgentSessionsOptions {
  readonly client: HermClient
  readonly agentId: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Told of every look; with what made it fail, where the next one follows. */
  readonly onLook: (error: HermError | undefined) => void
}

/**
 * The ids of an agent's sessions: first all that there are, the newest first, then new ones as they come. The service tells
 * nobody of a new session, so the list is read again and again. Ends only by throwing, as the client's reads do.
 */
export async function* agentSessions(options: AgentSessionsOptions): AsyncGenerator<readonly string[], never> {
  const { client, agentId, clock, signal, onLook } = options
  const known = new Set<string>()
  for (let isFirst = true; ; isFirst = false) {
    try {
      const created = new Map<string, string>()
      for await (const { sessions } of listSessions({ client, signal }, { agentId, limit: PAGE_LIMIT, all: true })) {
        for (const { session } of sessions) if (!known.has(session.id)) created.set(session.id, session.createdAt ?? '')
      }
      onLook(undefined)
      const found = [...created.keys()].sort((a, b) => compare(created.get(b), created.get(a)))
      for (const id of found) known.add(id)
      if (isFirst || found.length > 0) yield found
    } catch (error) {
      // One look of many that is answered with nonsense, as by a portal, says nothing of the sessions that are known.
      if (isFirst || !(error instanceof HermError) || error.kind === 'auth' || signal.aborted) throw error
      onLook(error)
    }
    await clock.sleep(LOOK_PAUSE_MS, signal)
  }
}

function compare(a = '', b = ''): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The most that the service gives at once. */
const PAGE_LIMIT = 100
/** A person sees a new session soon; the service is asked seldom. */
const LOOK_PAUSE_MS = 5_000
