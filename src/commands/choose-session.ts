import { HermError } from '../errors.ts'
import type { Session } from '../protocol/session.ts'
import { choose } from './choose.ts'
import type { Workspace } from './workspace.ts'

/**
 * Lets a person choose a session: those that wait for something first, and of them the newest. Throws `not_found` when there
 * is none, and as the client's reads do.
 */
export async function chooseSession(workspace: Workspace): Promise<string> {
  const { timeAgo } = await import('../output/time-ago.ts')
  const client = await workspace.client()
  const { sessions, nextCursor } = await client.listSessions({ limit: LISTED, signal: workspace.context.signal })
  if (sessions.length === 0) {
    throw new HermError('not_found', 'no session was named, and there is none', {
      hint: 'Make one with `herm-tools sessions create --agent ID`.',
    })
  }
  const openCalls = await countOpenCalls(workspace)
  const open = ({ id }: Session) => openCalls.get(id) ?? 0
  const choices = sessions
    .map(({ session }) => session)
    .sort((a, b) => place(a, open(a)) - place(b, open(b)) || createdAt(b) - createdAt(a))
    .map((session) => {
      const known = [session.status?.replaceAll('_', ' '), timeAgo(session.createdAt, client.serviceNow())]
      const calls = open(session) === 0 ? undefined : `open calls seen here: ${open(session)}`
      const state = [...known, calls].filter(Boolean).join(', ')
      return { value: session.id, label: [session.id, state && `(${state})`, session.title].filter(Boolean).join(' ') }
    })
  const question = nextCursor === undefined ? 'Which session?' : `Which session? (of the first ${LISTED})`
  return choose(workspace, { question, choices })
}

/** By session. What the journal cannot tell only makes the order worse. */
async function countOpenCalls({ journal, settings }: Workspace): Promise<ReadonlyMap<string, number>> {
  const { isOpen, isWithin } = await import('../store/which-entries.ts')
  const counts = new Map<string, number>()
  const { baseUrl } = await settings()
  const { entries } = await (await journal()).list().catch((error) => {
    if (error instanceof HermError) return { entries: [] }
    throw error
  })
  for (const entry of entries) {
    if (!isWithin(entry, { baseUrl: baseUrl.value }) || !isOpen(entry)) continue
    counts.set(entry.sessionId, (counts.get(entry.sessionId) ?? 0) + 1)
  }
  return counts
}

/** Assumed: a status other than `idle` is of a turn, and `requires_action` of one that waits for an answer. */
function place({ status }: Session, openCalls: number): number {
  if (status === 'requires_action') return 0
  if (openCalls > 0) return 1
  return status === 'idle' ? 3 : 2
}

function createdAt({ createdAt }: Session): number {
  return Date.parse(createdAt ?? '') || 0
}

/** A page; more than anybody wants to walk through with the arrow keys. */
const LISTED = 100
