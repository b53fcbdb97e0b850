import { randomUUID } from 'node:crypto'
import type { NotAccepted } from '../client/post-outcome.ts'
import { RequestError } from '../client/request-error.ts'
import { HermError } from '../errors.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import type { CallResult } from '../protocol/tool-call.ts'
import { isFinal } from '../protocol/tool-call.ts'
import { toolEvent } from '../protocol/tool-events.ts'
import { toolResult } from '../protocol/user-events.ts'
import type { Intent, RecordedFinal } from '../store/journal.ts'
import type { Lock } from '../store/process-lock.ts'
import type { Delivery, DeliveryContext, SendAs } from './delivery.ts'
import { interruptedWhile, mayHaveBeenAccepted } from './interruption.ts'
import { recordIntent, recordNotAccepted, recordResult, recordStanding } from './record.ts'
import { settle } from './settle.ts'

export type Sent =
  | { kind: 'accepted'; eventId: string | undefined; recordedAt: string }
  /** Known not to have been accepted, and worth another try once the session or the service is ready. */
  | { kind: 'put_off'; reason: string; floorMs: number | undefined }
  /** The answer was lost, and history says that it was not accepted. */
  | { kind: 'absent' }
  /** Nothing was sent: the journal has a final. */
  | { kind: 'standing'; final: RecordedFinal }

interface Sending {
  readonly delivery: Delivery
  readonly as: SendAs
}

/**
 * Sends one result once: intent on disk, then the POST, then its outcome on disk. Whatever is not known at once is
 * settled from history. Throws what the service refused for good, and `unknown` for what cannot be settled; only then,
 * or when the process dies, does the intent stay in the journal.
 */
export async function sendResult(
  context: DeliveryContext,
  options: Sending & { attempt: number; locks: readonly Lock[]; known: readonly CallResult[] },
): Promise<Sent> {
  const { delivery, as } = options
  const { toolUseId, sessionId } = delivery.key
  const intent: Intent = {
    status: delivery.status,
    digest: delivery.digest,
    attempt: options.attempt,
    writtenAt: new Date(context.clock.now()).toISOString(),
    forced: delivery.force,
    token: randomUUID(),
    knownResultEventIds: options.known.filter(isFinal).flatMap(({ eventId }) => eventId ?? []),
  }
  context.signal.throwIfAborted()
  const final = await recordIntent(context, delivery.key, intent)
  if (final !== undefined) return { kind: 'standing', final }
  for (const lock of options.locks) await lock.assertHeld()

  context.notify({ kind: 'sending', as, attempt: options.attempt })
  const event = toolResult({ toolUseId, status: delivery.status, content: [...delivery.content] })
  const outcome = await context.client.postEvents(sessionId, [event], { signal: context.signal })
  if (outcome.kind === 'accepted') return recordAccepted(context, delivery, outcome.events, intent)
  if (outcome.kind === 'unknown' && context.signal.aborted) {
    throw interruptedWhile(context.signal.reason, mayHaveBeenAccepted(toolUseId))
  }
  if (outcome.kind === 'unknown' || isAcceptedLate(outcome)) return settleSent(context, options, { intent, outcome })

  await recordNotAccepted(context, delivery.key)
  context.signal.throwIfAborted()
  if (!isPassing(outcome)) throw outcome.error
  return { kind: 'put_off', reason: outcome.error.message, floorMs: outcome.retryAfterMs }
}

async function recordAccepted(
  context: DeliveryContext,
  delivery: Delivery,
  events: readonly RawEvent[],
  intent: Intent,
): Promise<Sent> {
  const eventId = events.find((event) => isResultOf(event, delivery.key.toolUseId))?.envelope.id
  const recordedAt = await recordStanding(context, delivery.key, { ...delivery, eventId, source: 'accepted' })
  const found = eventId ?? (await findEventId(context, delivery, { intent, recordedAt }))
  return { kind: 'accepted', eventId: found, recordedAt }
}

/** The answer did not say under which id: history does. That the result was accepted is known, so failing here is no matter. */
async function findEventId(
  context: DeliveryContext,
  delivery: Delivery,
  { intent, recordedAt }: { intent: Intent; recordedAt: string },
): Promise<string | undefined> {
  try {
    const found = await settle(context, { ...delivery, settleMs: FIND_ID_MS }, intent)
    if (found.kind === 'absent' || found.result.eventId === undefined) return undefined
    const { eventId } = found.result
    await recordResult(context, delivery.key, { ...delivery, eventId, at: recordedAt, source: 'accepted' })
    return eventId
  } catch (error) {
    if (error instanceof HermError) return undefined
    throw error
  }
}

async function settleSent(
  context: DeliveryContext,
  { delivery, as }: Sending,
  { intent, outcome }: { intent: Intent; outcome: NotAccepted },
): Promise<Sent> {
  context.notify({ kind: 'settling', reason: outcome.error.message, windowMs: delivery.settleMs })
  const settled = await settle(context, delivery, intent)
  if (settled.kind === 'landed') {
    const { eventId, at } = settled.result
    const recordedAt = await recordStanding(context, delivery.key, { ...delivery, eventId, at, source: 'history' })
    if (outcome.kind === 'rejected') {
      context.notify({
        kind: 'warning',
        message: 'the session had stopped waiting: the result is recorded, but the turn went on without it',
      })
    }
    return { kind: 'accepted', eventId, recordedAt }
  }
  await recordNotAccepted(context, delivery.key)
  // Refused in so many words, a kickoff has no other way to go, where an immediate answer may go as a final.
  if (outcome.kind === 'rejected' && as === 'kickoff') throw outcome.error
  return { kind: 'absent' }
}

function isResultOf({ envelope }: RawEvent, toolUseId: string): boolean {
  const tool = toolEvent(envelope)
  return tool?.kind === 'result' && tool.toolUseId === toolUseId
}

/** protocol: `409 no_active_turn` may come after the event was accepted. */
function isAcceptedLate({ error }: NotAccepted): boolean {
  return error.serviceCode === 'no_active_turn'
}

/** protocol: `409 invalid_state` means that a turn runs. A busy service and one that was not reached are asked again, too. */
function isPassing({ error }: NotAccepted): boolean {
  return error.serviceCode === 'invalid_state' || (error instanceof RequestError && error.passing)
}

/** How long to look for the id of a result that is known to be accepted. */
const FIND_ID_MS = 5_000
