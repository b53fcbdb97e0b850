import type { CallResult } from '../protocol/tool-call.ts'
import type { Intent } from '../store/journal.ts'
import type { Delivery, DeliveryContext } from './delivery.ts'
import { mayHaveBeenAccepted } from './interruption.ts'
import { lookFor } from './look-for.ts'
import { readSessionState } from './read-history.ts'

export type Settled =
  | { kind: 'landed'; result: CallResult }
  /** Not in history through the whole window, its end included: it was not accepted. */
  | { kind: 'absent' }

/** What tells the result that is looked for from others of its call. */
type SoughtResult = Pick<Intent, 'digest' | 'knownResultEventIds'>

/**
 * Finds out what became of a result whose answer was lost, or that a killed process may have sent.
 * Throws `unknown` when history cannot be read at the end of the window; on an abort its kind, saying what is open.
 */
export async function settle(
  context: Pick<DeliveryContext, 'client' | 'clock' | 'signal'>,
  { key, settleMs }: Pick<Delivery, 'key' | 'settleMs'>,
  sought: SoughtResult,
): Promise<Settled> {
  const result = await lookFor(context, {
    async look() {
      const state = await readSessionState({ ...context, sessionId: key.sessionId })
      return landed(state.calls.get(key.toolUseId)?.results ?? [], sought)
    },
    windowMs: settleMs,
    left: mayHaveBeenAccepted(key.toolUseId),
  })
  return result === undefined ? { kind: 'absent' } : { kind: 'landed', result }
}

/** The result that is looked for, and not an equal one that stood before it was sent. */
function landed(results: readonly CallResult[], sought: SoughtResult): CallResult | undefined {
  return results.find(
    (result) =>
      result.digest === sought.digest &&
      !(result.eventId !== undefined && sought.knownResultEventIds.includes(result.eventId)),
  )
}
