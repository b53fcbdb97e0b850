import { HermError } from '../errors.ts'
import type { SessionState } from '../protocol/session-fold.ts'
import { type CallResult, isFinal } from '../protocol/tool-call.ts'
import type { CallKey, JournalEntry, RecordedFinal } from '../store/journal.ts'
import type { Delivery, DeliveryContext } from './delivery.ts'
import { readSessionState } from './read-history.ts'
import { recordFound, recordNotAccepted, recordResult } from './record.ts'
import { settle } from './settle.ts'

/** What comparing the journal's word on a call with the session's history found. */
export interface Verdict {
  readonly entry: JournalEntry
  readonly verdict: /** History has the result that the journal says, or that was in doubt, or a final that the journal did not know. */
    | 'recorded'
    /** What was in doubt is not in history: it was not accepted, and may be sent again. */
    | 'not_accepted'
    /** History has another final than the journal. */
    | 'conflict'
    /** The journal says that a final was accepted, and history does not show it. */
    | 'missing'
    /** No final was sent, and nothing is in doubt. */
    | 'open'
    /** It could not be found out: history could not be read, or another process is at it right now. */
    | 'unknown'
  readonly eventId: string | undefined
  readonly reason: string | undefined
  /** The service has nothing of what the journal says, be it the final or the session: perhaps it was reset. */
  readonly isGone: boolean
}

/**
 * Settles what is in doubt and compares the rest with history, call by call. Sends nothing.
 * Throws when it is interrupted, the key is refused, or the journal cannot be written; what else cannot be found out is a verdict.
 */
export async function* reconcile(
  context: DeliveryContext,
  entries: readonly JournalEntry[],
  { settleMs }: Pick<Delivery, 'settleMs'>,
): AsyncGenerator<Verdict, void> {
  const states = new Map<string, Promise<SessionState>>()
  const stateOf = (sessionId: string) => {
    const state = states.get(sessionId) ?? told(context, readSessionState({ ...context, sessionId }))
    states.set(sessionId, state)
    return state
  }
  for (const entry of entries) {
    try {
      yield entry.intent === undefined
        ? await compare(context, entry, { state: await stateOf(entry.sessionId), settleMs })
        : await settleEntry(context, entry, settleMs)
    } catch (error) {
      if (context.signal.aborted || !isLeftOpen(error)) throw error
      yield { entry, verdict: 'unknown', eventId: undefined, reason: error.message, isGone: isOfNoSession(error) }
    }
  }
}

/**
 * What history tells. Whatever keeps it from doing so becomes `unknown`, and so is told from what happens to the journal;
 * but for an abort, and for a key that is refused, which no other call would fare better with.
 */
async function told<T>({ signal }: DeliveryContext, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (signal.aborted || !(error instanceof HermError)) throw error
    const cause = error.kind === 'unknown' && error.cause instanceof HermError ? error.cause : error
    if (cause.kind === 'auth') throw cause
    throw new HermError('unknown', error.message, { cause })
  }
}

/** History did not tell, or another process holds the call. */
function isLeftOpen(error: unknown): error is HermError {
  return error instanceof HermError && (error.kind === 'unknown' || error.kind === 'timeout')
}

function isOfNoSession({ cause }: HermError): boolean {
  return cause instanceof HermError && cause.kind === 'not_found'
}

/** With the call's lock, so that no delivery under way is judged. */
async function settleEntry(context: DeliveryContext, listed: JournalEntry, settleMs: number): Promise<Verdict> {
  const key = keyOf(listed)
  const lock = await context.journal.lockCall(key, {
    label: `reconcile ${key.toolUseId}`,
    timeoutMs: LOCK_WAIT_MS,
    signal: context.signal,
  })
  try {
    const entry = await context.journal.read(key)
    const intent = entry?.intent
    if (intent === undefined) throw new HermError('unknown', 'another process settled it meanwhile')
    const reason = `whether a ${intent.status} result of ${key.toolUseId} was accepted is open`
    context.notify({ kind: 'settling', reason, windowMs: settleMs })
    const settled = await told(context, settle(context, { key, settleMs }, intent))
    if (settled.kind === 'absent') {
      await recordNotAccepted(context, key)
      return verdictOf(listed, 'not_accepted')
    }
    await recordResult(context, key, { ...intent, ...settled.result, source: 'history' })
    return verdictOf(listed, 'recorded', settled.result.eventId)
  } finally {
    await lock.release()
  }
}

async function compare(
  context: DeliveryContext,
  entry: JournalEntry,
  { state, settleMs }: { state: SessionState; settleMs: number },
): Promise<Verdict> {
  const results = state.calls.get(entry.toolUseId)?.results ?? []
  const finals = results.filter(isFinal)
  if (entry.final !== undefined) return compareFinal(context, entry, { final: entry.final, finals, settleMs })
  const latest = finals.at(-1)
  if (latest === undefined) return verdictOf(entry, 'open', results.at(-1)?.eventId)
  await recordFound(context, keyOf(entry), { ...latest, source: 'history' })
  return verdictOf(entry, 'recorded', latest.eventId)
}

async function compareFinal(
  context: DeliveryContext,
  entry: JournalEntry,
  { final, finals, settleMs }: { final: RecordedFinal; finals: readonly CallResult[]; settleMs: number },
): Promise<Verdict> {
  const same = finals.find(({ digest }) => digest === final.digest)
  if (same !== undefined) return verdictOf(entry, 'recorded', same.eventId)
  const other = finals.at(-1)
  if (other !== undefined) return verdictOf(entry, 'conflict', other.eventId)
  // Assumed: an accepted event may take some seconds to be listed; only a final that is as young is looked for again.
  const youngMs = Date.parse(final.recordedAt) + settleMs - context.clock.now()
  const sought = { digest: final.digest, knownResultEventIds: [] }
  const searching = settle(context, { key: keyOf(entry), settleMs: Math.max(youngMs, 0) }, sought)
  const settled = await told(context, searching)
  return settled.kind === 'landed'
    ? verdictOf(entry, 'recorded', settled.result.eventId)
    : verdictOf(entry, 'missing', final.eventId)
}

function verdictOf(entry: JournalEntry, verdict: Verdict['verdict'], eventId?: string): Verdict {
  return { entry, verdict, eventId, reason: undefined, isGone: verdict === 'missing' }
}

function keyOf({ baseUrl, sessionId, toolUseId }: JournalEntry): CallKey {
  return { baseUrl, sessionId, toolUseId }
}

/** Whoever holds the lock for longer is delivering, and will settle it. */
const LOCK_WAIT_MS = 2_000
