import { isFinal } from '../protocol/tool-call.ts'
import type { JournalEntry } from '../store/journal.ts'
import type { Lock } from '../store/process-lock.ts'
import { deliverOnce } from './deliver-once.ts'
import type { Delivery, DeliveryContext, DeliveryReport } from './delivery.ts'
import { interruptedWhile } from './interruption.ts'
import { readSessionState } from './read-history.ts'
import { recordNotAccepted, recordStanding } from './record.ts'
import { settle } from './settle.ts'
import { endWith } from './standing-result.ts'
import { type WaitLimit, waitLimit } from './wait-limit.ts'

/**
 * Delivers a result so that it is accepted exactly once: lock, journal, subscribe, history, decide, wait for idle, intent,
 * POST, record. A crash at any point is repaired by running the same again.
 *
 * Throws `conflict` when another final is recorded, `not_found` for a call that history does not have, `rejected` for a
 * call that takes no such answer, `timeout` when the session was not idle in time, `unknown` when the outcome could not be
 * settled, and what the service refused.
 */
export async function deliverResult(context: DeliveryContext, delivery: Delivery): Promise<DeliveryReport> {
  const wait = waitLimit({ ...context, ...delivery, sessionId: delivery.key.sessionId })
  let lock: Lock | undefined
  try {
    lock = await lockCall(context, delivery, wait)
    const entry = await context.journal.read(delivery.key)
    return (
      recordedBefore(entry, delivery) ??
      (await settledBefore(context, delivery, entry)) ??
      (await kickedOffBefore(context, delivery, { entry, wait })) ??
      (await deliverOnce(context, delivery, { lock, wait }))
    )
  } catch (error) {
    if (error !== wait.signal.reason && error !== context.signal.reason) throw error
    throw interruptedWhile(error, {
      open: `no ${delivery.status} result for ${delivery.key.toolUseId} was accepted from here`,
      hint: 'Run the same command again to go on.',
    })
  } finally {
    wait.dispose()
    await lock?.release()
  }
}

/** With the time that is left as the lock's own limit, whose error names the holder. */
function lockCall(
  { journal, notify, signal }: DeliveryContext,
  delivery: Delivery,
  { leftMs }: WaitLimit,
): Promise<Lock> {
  return journal.lockCall(delivery.key, {
    label: `${delivery.status} ${delivery.key.toolUseId}`,
    timeoutMs: leftMs(),
    signal,
    onWait: (owner) => notify({ kind: 'call_locked', owner }),
  })
}

/** What the journal knows of an accepted final holds: no network is needed. */
function recordedBefore(entry: JournalEntry | undefined, delivery: Delivery): DeliveryReport | undefined {
  const final = entry?.final
  return final === undefined || delivery.force ? undefined : endWith(delivery, final)
}

/** A kickoff that is recorded, whether history lists it yet or not; somebody else may have sent the final since. */
async function kickedOffBefore(
  context: DeliveryContext,
  delivery: Delivery,
  { entry, wait }: { entry: JournalEntry | undefined; wait: WaitLimit },
): Promise<DeliveryReport | undefined> {
  const kickoff = entry?.kickoff
  if (delivery.status !== 'running' || kickoff?.digest !== delivery.digest) return undefined
  const { sessionId, toolUseId } = delivery.key
  const { calls } = await readSessionState({ client: context.client, sessionId, signal: wait.signal })
  const final = calls.get(toolUseId)?.results.findLast(isFinal)
  if (final === undefined) return endWith(delivery, { ...kickoff, status: 'running' })
  const recordedAt = await recordStanding(context, delivery.key, { ...final, source: 'history' })
  return endWith(delivery, { ...final, recordedAt })
}

/** An intent that nobody holds is of a process that died: whatever it sent is looked for before anything else is sent. */
async function settledBefore(
  context: DeliveryContext,
  delivery: Delivery,
  entry: JournalEntry | undefined,
): Promise<DeliveryReport | undefined> {
  const intent = entry?.intent
  if (intent === undefined) return undefined
  const reason = `an earlier run was about to send a ${intent.status} result`
  context.notify({ kind: 'settling', reason, windowMs: delivery.settleMs })
  const settled = await settle(context, delivery, intent)
  if (settled.kind === 'absent') {
    await recordNotAccepted(context, delivery.key)
    return undefined
  }
  const { eventId, at } = settled.result
  const recordedAt = await recordStanding(context, delivery.key, { ...intent, eventId, at, source: 'history' })
  const isTheSame = intent.digest === delivery.digest
  // A kickoff that landed is followed by its final; and a final that landed is not doubted, though history may lag again.
  if (!isTheSame && (intent.status === 'running' || delivery.force)) return undefined
  return endWith(delivery, { ...intent, eventId, recordedAt })
}
