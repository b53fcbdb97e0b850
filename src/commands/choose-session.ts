import { HermError } from '../errors.ts'
import type { Session } from '../protocol/session.ts'
import { choose } from './choose.ts'
import type { Workspace } from './workspace.ts'

/** Lets a person choose a session, the newest first. Throws `not_found` when there is none, and as the client's reads do. */
export async function chooseSession(workspace: Pick<Workspace, 'context' | 'client'>): Promise<string> {
  const { context } = workspace
  const { timeAgo } = await import('../output/time-ago.ts')
  const client = await workspace.client()
  const { sessions, nextCursor } = await client.listSessions({ limit: LISTED, signal: context.signal })
  if (sessions.length === 0) {
    throw new HermError('not_found', 'no session was named, and there is none', {
      hint: 'Make one with `herm-tools sessions create --agent ID`.',
    })
  }
  const choices = sessions
    .map(({ session }) => session)
    .sort((a, b) => createdAt(b) - createdAt(a))
    .map((session) => ({
      value: session.id,
      label: [session.id, session.title].filter(Boolean).join(' '),
      hint: [session.status, timeAgo(session.createdAt, client.serviceNow())].filter(Boolean).join(', '),
    }))
  const question = nextCursor === undefined ? 'Which session?' : `Which session? (of the first ${LISTED})`
  return choose(context, { question, choices })
}

function createdAt({ createdAt }: Session): number {
  return Date.parse(createdAt ?? '') || 0
}

/** A page; more than anybody wants to walk through with the arrow keys. */
const LISTED = 100
