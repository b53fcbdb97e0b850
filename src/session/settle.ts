import { RequestError } from '../client/request-error.ts'
import { HermError } from '../errors.ts'
import type { CallResult } from '../protocol/tool-call.ts'
import type { Intent } from '../store/journal.ts'
import type { Delivery, DeliveryContext } from './delivery.ts'
import { interruptedWhile, mayHaveBeenAccepted } from './interruption.ts'
import { readSessionState } from './read-history.ts'

export type Settled =
  | { kind: 'landed'; result: CallResult }
  /** Not in history through the whole window, its end included: it was not accepted. */
  | { kind: 'absent' }

/** What tells the result that is looked for from others of its call. */
type SoughtResult = Pick<Intent, 'digest' | 'knownResultEventIds'>

/**
 * Finds out what became of a result whose answer was lost, or that a killed process may have sent: reads history again
 * and again over the window, since an accepted event may be listed late.
 * Throws `unknown` when history cannot be read at the end of the window; on an abort its kind, saying what is open.
 */
export async function settle(
  context: Pick<DeliveryContext, 'client' | 'clock' | 'signal'>,
  delivery: Pick<Delivery, 'key' | 'settleMs'>,
  sought: SoughtResult,
): Promise<Settled> {
  try {
    return await lookUntilSettled(context, delivery, sought)
  } catch (error) {
    if (!context.signal.aborted) throw error
    throw interruptedWhile(context.signal.reason, mayHaveBeenAccepted(delivery.key.toolUseId))
  }
}

async function lookUntilSettled(
  { client, clock, signal }: Pick<DeliveryContext, 'client' | 'clock' | 'signal'>,
  { key, settleMs }: Pick<Delivery, 'key' | 'settleMs'>,
  sought: SoughtResult,
): Promise<Settled> {
  const endsAt = clock.elapsed() + settleMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
    const isLast = clock.elapsed() >= endsAt
    try {
      const state = await readSessionState({ client, sessionId: key.sessionId, signal })
      const result = landed(state.calls.get(key.toolUseId)?.results ?? [], sought)
      if (result !== undefined) return { kind: 'landed', result }
      if (isLast) return { kind: 'absent' }
    } catch (error) {
      const mayPass = error instanceof RequestError && error.passing
      if (isLast || !mayPass) throw cannotTell(key.toolUseId, error)
    }
    await clock.sleep(Math.min(pause, Math.max(endsAt - clock.elapsed(), 0)), signal)
  }
}

/** The result that is looked for, and not an equal one that stood before it was sent. */
function landed(results: readonly CallResult[], sought: SoughtResult): CallResult | undefined {
  return results.find(
    (result) =>
      result.digest === sought.digest &&
      !(result.eventId !== undefined && sought.knownResultEventIds.includes(result.eventId)),
  )
}

function cannotTell(toolUseId: string, cause: unknown): HermError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const { open, hint } = mayHaveBeenAccepted(toolUseId)
  return new HermError('unknown', `${open}, and its history could not be read: ${why}`, { hint, cause })
}

const FIRST_PAUSE_MS = 250
/** However long the window is, what landed is noticed within this time. */
const LAST_PAUSE_MS = 5_000
