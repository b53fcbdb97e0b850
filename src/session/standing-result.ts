import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { Delivery, DeliveryReport } from './delivery.ts'

/** A result of the call that the journal or the history has. */
export interface StandingResult {
  readonly status: string
  readonly digest: string
  readonly eventId?: string | undefined
  readonly recordedAt?: string | undefined
}

/**
 * The end of a delivery whose call has a result that counts, and for which nothing was sent: the same one is success.
 * Throws `conflict` for another final, and `rejected` for a kickoff that comes too late for any.
 */
export function endWith(delivery: Delivery, standing: StandingResult): DeliveryReport {
  const { key, status } = delivery
  if (standing.digest !== delivery.digest) {
    throw status === 'running' ? tooLate(key.toolUseId, standing) : conflict(key, standing)
  }
  const { eventId, recordedAt } = standing
  return { outcome: 'already_recorded', key, status, eventId, recordedAt, turnsWaited: 0 }
}

/** Whoever runs the kickoff again must not take it for leave to do the work again. */
function tooLate(toolUseId: string, final: StandingResult): HermError {
  const at = final.recordedAt === undefined ? '' : `, at ${final.recordedAt}`
  return new HermError('rejected', `${toolUseId} takes no kickoff any more: it is ${final.status}${as(final)}${at}`, {
    hint: `The work need not be done again. See what is recorded: herm-tools jobs show ${shellWord(toolUseId)}`,
  })
}

function conflict({ sessionId, toolUseId }: Delivery['key'], other: StandingResult): HermError {
  return new HermError(
    'conflict',
    `a different ${other.status} result is already recorded for ${toolUseId}${as(other)}`,
    {
      hint: `See it with \`herm-tools events ${shellWord(sessionId)} --type user.custom_tool_result\`; --force sends a second final, which starts another turn.`,
    },
  )
}

/** Under which event id, where that is known. */
export function as(result: { eventId?: string | undefined } | undefined): string {
  return result?.eventId === undefined ? '' : ` as ${result.eventId}`
}
