import type { Clock } from '../clock.ts'
import type { Place } from '../protocol/timeline.ts'
import {
  type CallKey,
  entryWith,
  type Journal,
  type JournalEntry,
  type SessionKey,
  withoutTrailingSlash,
} from './journal.ts'

/**
 * A journal that forgets when the process ends, for a machine on which nothing can be written. It guards against nobody
 * else: its locks are always free, and a run that is killed leaves no word of what it was about to send.
 */
export function memoryJournal({ clock }: { clock: Clock }): Journal {
  const entries = new Map<string, JournalEntry>()
  const places = new Map<string, Place>()

  return {
    read: async (key) => entries.get(nameOf(key)),
    async update(key, change) {
      const before = entries.get(nameOf(key))
      const entry = entryWith(change(before), { key, before, now: new Date(clock.now()).toISOString() })
      entries.set(nameOf(key), entry)
      return entry
    },
    forget: async (key) => entries.delete(nameOf(key)),
    putAside: async ({ place }) => place,
    list: async () => ({ entries: [...entries.values()], problems: [] }),
    findByToolUseId: async (toolUseId) => ({
      entries: [...entries.values()].filter((entry) => entry.toolUseId === toolUseId),
      problems: [],
    }),
    readPlace: async (session) => places.get(nameOf(session)),
    async writePlace(session, place) {
      places.set(nameOf(session), place)
    },
    lockCall: async () => FREE,
    lockFinals: async () => FREE,
  }
}

function nameOf({ baseUrl, sessionId, toolUseId }: SessionKey & Partial<CallKey>): string {
  return JSON.stringify([withoutTrailingSlash(baseUrl), sessionId, toolUseId])
}

const FREE = { assertHeld: async () => undefined, release: async () => undefined }
