import * as z from 'zod/mini'
import type { Place } from '../protocol/timeline.ts'
import type { FinalStatus, ResultStatus } from '../protocol/user-events.ts'
import type { Lock, LockWait } from './process-lock.ts'

/** Where a tool call lives. Base URLs that differ only in trailing slashes are the same. */
export interface CallKey {
  readonly baseUrl: string
  readonly sessionId: string
  readonly toolUseId: string
}

export type SessionKey = Omit<CallKey, 'toolUseId'>

/** A running result that the service accepted. Times are ISO 8601, in UTC; a digest covers status and joined text. */
export interface RecordedKickoff {
  readonly digest: string
  readonly eventId?: string | undefined
  readonly recordedAt: string
}

/**
 * A result that may have left: on disk before its first byte is sent, gone or superseded once its outcome is known.
 * An entry that still has one when nobody holds its call lock is *unknown* and must be settled from history.
 */
export interface Intent {
  readonly status: ResultStatus
  readonly digest: string
  /** Counts from 1. */
  readonly attempt: number
  readonly writtenAt: string
  readonly forced: boolean
  /** Random id of this attempt. */
  readonly token: string
  /** Ids of the finals of this call that history showed before the send: a match that is not among them is ours. */
  readonly knownResultEventIds: readonly string[]
}

/** A final that stands: accepted from here, or found in history. */
export interface RecordedFinal {
  readonly status: FinalStatus
  readonly digest: string
  readonly eventId?: string | undefined
  readonly recordedAt: string
  readonly source: 'accepted' | 'history'
}

/** What is known of one tool call. */
export interface CallRecord {
  readonly toolName?: string | undefined
  readonly kickoff?: RecordedKickoff | undefined
  readonly intent?: Intent | undefined
  readonly final?: RecordedFinal | undefined
}

export interface JournalEntry extends CallKey, CallRecord {
  readonly version: 1
  readonly firstSeenAt: string
  readonly updatedAt: string
}

/** An entry that is there and cannot be understood. It stays where it is: it may be the record of an accepted final. */
export interface JournalProblem {
  /** Where it is kept, in words that a person can follow, such as a path. */
  readonly place: string
  readonly reason: string
}

export interface JournalListing {
  /** Oldest change first. */
  readonly entries: readonly JournalEntry[]
  readonly problems: readonly JournalProblem[]
}

/**
 * The memory of which results were sent and accepted. Every method rejects with HermError `failed` when the storage
 * cannot be read or written; a place that does not exist yet reads as empty.
 */
export interface Journal {
  /** Rejects with HermError `failed` when the call's entry cannot be understood: a send must not go on without it. */
  read(key: CallKey): Promise<JournalEntry | undefined>
  /**
   * Read, change, write as one step among all processes; durable when it resolves, to what was stored. `change` gets
   * undefined for a call not seen before, and returns the whole record: spread the entry, so that fields which only a
   * later version knows survive. Key and times are set by the journal. It cannot be cancelled: an outcome that is known
   * must not be lost to Ctrl-C. The wait for another writer is short and limited (HermError `timeout`).
   */
  update(key: CallKey, change: (entry: JournalEntry | undefined) => CallRecord): Promise<JournalEntry>
  /** Removes an entry; false when there was none. Rejects like `read` for one that cannot be understood. */
  forget(key: CallKey): Promise<boolean>
  /** Accepts the loss of an entry that cannot be understood. It is kept aside; resolves to where. */
  putAside(problem: JournalProblem): Promise<string>
  list(): Promise<JournalListing>
  /** The entries of this tool-use id in all sessions and base URLs, without a walk through the whole journal. */
  findByToolUseId(toolUseId: string): Promise<JournalListing>

  /** Up to where `watch --resume` has handled the events of this session. */
  readPlace(session: SessionKey): Promise<Place | undefined>
  writePlace(session: SessionKey, place: Place): Promise<void>

  /** Held for the whole delivery of one tool call. */
  lockCall(key: CallKey, wait: LockWait): Promise<Lock>
  /** Held from the decision to send a final until its outcome is known: two finals for one session race each other. */
  lockFinals(session: SessionKey, wait: LockWait): Promise<Lock>
}

const finalStatus = z.enum(['completed', 'failed'])

const recorded = { digest: z.string(), eventId: z.optional(z.string()), recordedAt: z.string() }

export const journalEntry: z.ZodMiniType<JournalEntry> = z.looseObject({
  version: z.literal(1),
  baseUrl: z.string(),
  sessionId: z.string(),
  toolUseId: z.string(),
  toolName: z.optional(z.string()),
  firstSeenAt: z.string(),
  updatedAt: z.string(),
  kickoff: z.optional(z.looseObject(recorded)),
  intent: z.optional(
    z.looseObject({
      status: z.enum(['running', 'completed', 'failed']),
      digest: z.string(),
      attempt: z.number(),
      writtenAt: z.string(),
      forced: z.boolean(),
      token: z.string(),
      knownResultEventIds: z.array(z.string()),
    }),
  ),
  final: z.optional(z.looseObject({ ...recorded, status: finalStatus, source: z.enum(['accepted', 'history']) })),
})

/** An entry with what is known of its call now: key and times are the journal's to set. `now` is ISO 8601. */
export function entryWith(
  record: CallRecord,
  { key, before, now }: { key: CallKey; before: JournalEntry | undefined; now: string },
): JournalEntry {
  return {
    ...record,
    version: 1,
    baseUrl: withoutTrailingSlash(key.baseUrl),
    sessionId: key.sessionId,
    toolUseId: key.toolUseId,
    firstSeenAt: before?.firstSeenAt ?? now,
    updatedAt: now,
  }
}

/** `https://host/v1//` and `https://host/v1` are one place. */
export function withoutTrailingSlash(baseUrl: string): string {
  let end = baseUrl.length
  while (baseUrl[end - 1] === '/') end--
  return baseUrl.slice(0, end)
}
