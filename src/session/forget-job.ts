import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { Journal, JournalEntry } from '../store/journal.ts'
import { type EntryScope, isWithin } from '../store/which-entries.ts'
import { findJob, type JobQuery } from './find-job.ts'

/** The entry that is gone, or where those are kept that could not be understood. */
export type ForgottenJob = { readonly entry: JournalEntry } | { readonly keptAside: readonly string[] }

/**
 * Removes a call from the journal; an entry that cannot be understood is put aside. Throws `failed` for what may still
 * matter unless `force` is set, `timeout` while a delivery of the call goes on, and as findJob does.
 */
export async function forgetJob(
  { journal, signal }: { journal: Journal; signal: AbortSignal },
  { force, ...query }: JobQuery & { force: boolean },
): Promise<ForgottenJob> {
  const found = await findJob(journal, query)
  if ('problems' in found) {
    if (!force) throw unreadable(query.toolUseId, found.problems[0]?.reason)
    const keptAside: string[] = []
    for (const problem of found.problems) keptAside.push(await journal.putAside(problem))
    return { keptAside }
  }
  return { entry: await forgetEntry({ journal, signal }, found.entry, force) }
}

/** What became of one call of many: why it is kept, or undefined when it is gone. */
export interface TriedJob {
  readonly entry: JournalEntry
  readonly kept: HermError | undefined
}

/**
 * The same for every call of a session or a service, one after the other; what forgetting it alone would refuse is kept.
 * Entries that cannot be understood stay: nobody knows whose they are.
 */
export async function* forgetJobs(
  { journal, signal }: { journal: Journal; signal: AbortSignal },
  { force, ...scope }: EntryScope & { force: boolean },
): AsyncGenerator<TriedJob, void> {
  const { entries } = await journal.list()
  for (const listed of entries.filter((entry) => isWithin(entry, scope))) {
    try {
      yield { entry: await forgetEntry({ journal, signal }, listed, force), kept: undefined }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof HermError)) throw error
      yield { entry: listed, kept: error }
    }
  }
}

async function forgetEntry(
  { journal, signal }: { journal: Journal; signal: AbortSignal },
  found: JournalEntry,
  force: boolean,
): Promise<JournalEntry> {
  const { sessionId, toolUseId, baseUrl } = found
  const key = { sessionId, toolUseId, baseUrl }
  const lock = await journal.lockCall(key, { label: `forget ${toolUseId}`, timeoutMs: LOCK_WAIT_MS, signal })
  try {
    const entry = (await journal.read(key)) ?? found
    if (!force) assertSettled(entry)
    await journal.forget(key)
    return entry
  } finally {
    await lock.release()
  }
}

/** A delivery takes as long as its session is busy; who wants to forget the call meanwhile should know, and not wait. */
const LOCK_WAIT_MS = 1_000

function assertSettled({ toolUseId, sessionId, intent, final }: JournalEntry): void {
  if (intent !== undefined) {
    throw new HermError(
      'failed',
      `whether a ${intent.status} result of ${toolUseId} was accepted is open; once it is forgotten, sending it again may start another turn`,
      {
        hint: `Settle it with \`herm-tools reconcile --session ${shellWord(sessionId)} --tool-use-id ${shellWord(toolUseId)}\`, or forget it all the same with --force.`,
      },
    )
  }
  if (final === undefined) {
    throw new HermError(
      'failed',
      `${toolUseId} has no final yet; once it is forgotten, its session must be named to answer it`,
      { hint: 'Forget it all the same with --force.' },
    )
  }
}

function unreadable(toolUseId: string, reason: string | undefined): HermError {
  return new HermError(
    'failed',
    `the entry of ${toolUseId} cannot be understood (${reason}); it may be the record of an accepted final, and without it the final could be sent twice`,
    { hint: 'Accept its loss with --force; the file is kept aside.' },
  )
}
