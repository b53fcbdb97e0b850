import type { HermClient, SessionFilter } from '../client/herm-client.ts'
import type { SessionPage } from '../protocol/session.ts'

export interface SessionQuery extends SessionFilter {
  /** Every page from the cursor on, and not this one alone. */
  readonly all: boolean
}

/** Throws as the client's reads do. A cursor that comes round again ends the walk: it would go on for ever. */
export async function* listSessions(
  { client, signal }: { client: HermClient; signal: AbortSignal },
  { all, ...filter }: SessionQuery,
): AsyncGenerator<SessionPage, void> {
  const seen = new Set([filter.cursor])
  let { cursor } = filter
  do {
    const page = await client.listSessions({ ...filter, cursor, signal })
    yield page
    cursor = page.nextCursor
    if (seen.has(cursor)) return
    seen.add(cursor)
  } while (all && cursor !== undefined)
}
