import { HermError } from '../errors.ts'
import type { ResultStatus } from '../protocol/user-events.ts'
import type { CallKey, CallRecord, Intent, RecordedFinal } from '../store/journal.ts'
import type { DeliveryContext } from './delivery.ts'

/** What the journal remembers of a call, one function for each thing that becomes known; durable when they resolve. */
type Recorder = Pick<DeliveryContext, 'journal' | 'clock'>

export async function recordSeen({ journal }: Recorder, key: CallKey, toolName: string): Promise<void> {
  await journal.update(key, (entry) => ({ ...entry, ...(toolName === '' ? {} : { toolName }) }))
}

/**
 * Must resolve before the first byte of the result leaves. Resolves to the final that the journal has already: then no
 * intent is written and nothing may be sent, whatever a history that lags may say. Not so when it is forced.
 */
export async function recordIntent(
  { journal }: Recorder,
  key: CallKey,
  intent: Intent,
): Promise<RecordedFinal | undefined> {
  const { final } = await journal.update(key, (entry) =>
    entry?.final === undefined || intent.forced ? { ...entry, intent } : entry,
  )
  return intent.forced ? undefined : final
}

interface KnownResult {
  readonly status: ResultStatus
  readonly digest: string
  readonly eventId: string | undefined
  /** When the service recorded it, ISO 8601; this moment when left out. */
  readonly at?: string | undefined
  readonly source: 'accepted' | 'history'
}

/** The service has the result. Resolves to when it was recorded, as the journal has it from now on. */
export async function recordResult({ journal, clock }: Recorder, key: CallKey, result: KnownResult): Promise<string> {
  const recordedAt = result.at ?? new Date(clock.now()).toISOString()
  await journal.update(key, (entry) => ({ ...entry, ...asRecord(result, recordedAt), intent: undefined }))
  return recordedAt
}

/**
 * The same where the result stands whether or not it can be written down, as on a full disk: then that is a warning, and the
 * intent, if there is one, is settled by the next run.
 */
export async function recordStanding(
  context: Recorder & Pick<DeliveryContext, 'notify'>,
  key: CallKey,
  result: KnownResult,
): Promise<string> {
  try {
    return await recordResult(context, key, result)
  } catch (error) {
    if (!(error instanceof HermError)) throw error
    const message = `the ${result.status} result is accepted, and could not be written down as such: ${error.message}`
    context.notify({ kind: 'warning', message })
    return result.at ?? new Date(context.clock.now()).toISOString()
  }
}

/** The same without the call's lock: where a delivery is under way, or a final is known, the journal stays as it is. */
export async function recordFound({ journal, clock }: Recorder, key: CallKey, result: KnownResult): Promise<void> {
  const recordedAt = result.at ?? new Date(clock.now()).toISOString()
  await journal.update(key, (entry) => ({
    ...entry,
    ...(entry?.intent === undefined && entry?.final === undefined ? asRecord(result, recordedAt) : {}),
  }))
}

function asRecord({ status, digest, eventId, source }: KnownResult, recordedAt: string): CallRecord {
  const recorded = { digest, recordedAt, ...(eventId === undefined ? {} : { eventId }) }
  return status === 'running' ? { kickoff: recorded } : { final: { ...recorded, status, source } }
}

/** The intent came to nothing. */
export async function recordNotAccepted({ journal }: Recorder, key: CallKey): Promise<void> {
  await journal.update(key, (entry) => ({ ...entry, intent: undefined }))
}
