import { type JournalEntry, withoutTrailingSlash } from './journal.ts'

/** Where to look. */
export interface EntryScope {
  /** Left out: in any session. */
  readonly sessionId?: string | undefined
  /** Left out: at any service. */
  readonly baseUrl?: string | undefined
}

export function isWithin(entry: JournalEntry, { sessionId, baseUrl }: EntryScope): boolean {
  return (
    (sessionId === undefined || entry.sessionId === sessionId) &&
    (baseUrl === undefined || entry.baseUrl === withoutTrailingSlash(baseUrl))
  )
}

/** A result may still have to be sent, or settled. */
export function isOpen({ intent, final }: Pick<JournalEntry, 'intent' | 'final'>): boolean {
  return intent !== undefined || final === undefined
}
