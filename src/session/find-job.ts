import { HermError } from '../errors.ts'
import type { Journal, JournalEntry, JournalProblem } from '../store/journal.ts'
import { type EntryScope, isWithin } from '../store/which-entries.ts'

export interface JobQuery extends EntryScope {
  readonly toolUseId: string
}

/** One entry of the journal; or, when none can be read, what stands in the way. */
export type FoundJob = { readonly entry: JournalEntry } | { readonly problems: readonly JournalProblem[] }

/** Throws `not_found` for a call that the journal does not have, and `usage`, listing them, for several that it has. */
export async function findJob(journal: Journal, query: JobQuery): Promise<FoundJob> {
  const { toolUseId } = query
  const { entries, problems } = await journal.findByToolUseId(toolUseId)
  const [found, ...others] = entries.filter((entry) => isWithin(entry, query))
  if (found === undefined && problems.length > 0) return { problems }
  if (found === undefined) {
    throw new HermError('not_found', `the journal has no call ${toolUseId}${within(query)}`, {
      hint: 'See what it has with `herm-tools jobs list`.',
    })
  }
  if (others.length === 0) return { entry: found }
  const candidates = [found, ...others].map((entry) => `${entry.sessionId} at ${entry.baseUrl}`)
  throw new HermError('usage', `${toolUseId} is known in several sessions: ${candidates.join(', ')}`, {
    hint: 'Say which one with --session, and with --base-url where the sessions have the same id.',
  })
}

function within({ sessionId, baseUrl }: EntryScope): string {
  return [sessionId && ` in session ${sessionId}`, baseUrl && ` at ${baseUrl}`].filter(Boolean).join('')
}
