import type { HermClient } from '../client/herm-client.ts'
import type { Clock } from '../clock.ts'
import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { ToolCall } from '../protocol/tool-call.ts'
import { toolConfirmation, type Verdict } from '../protocol/user-events.ts'
import { interruptedWhile } from './interruption.ts'
import { lookFor } from './look-for.ts'
import { readSessionState } from './read-history.ts'

export interface Confirmation {
  readonly sessionId: string
  readonly verdict: Verdict
  readonly denyMessage: string | undefined
  /** How long history is searched for an answer that got lost, ms. */
  readonly settleMs: number
}

export interface ConfirmationContext {
  readonly client: HermClient
  readonly clock: Clock
  readonly signal: AbortSignal
  /** History is searched, for this reason. */
  readonly onSettling: (reason: string) => void
}

export interface ConfirmationReport {
  /** `already_recorded`: the call was answered in this way before. */
  readonly outcome: 'accepted' | 'already_recorded'
  readonly sessionId: string
  readonly call: ToolCall
  readonly verdict: Verdict
  /** Undefined when the service never told it. */
  readonly eventId: string | undefined
}

/**
 * Answers the approval request of a call, as history shows it. Posts once at most; an answer that got lost is looked for.
 * Throws `conflict` when it was answered the other way, `rejected` when it awaits no approval, `unknown` when the outcome
 * could not be settled, and what the service refused.
 */
export async function confirmCall(
  context: ConfirmationContext,
  call: ToolCall,
  confirmation: Confirmation,
): Promise<ConfirmationReport> {
  const { client, signal } = context
  const { sessionId, verdict, denyMessage, settleMs } = confirmation
  const answered = answeredBefore(call, confirmation)
  if (answered !== undefined) return answered
  assertAwaited(call, sessionId)

  const event = toolConfirmation({ toolUseId: call.toolUseId, verdict, denyMessage })
  const outcome = await client.postEvents(sessionId, [event], { signal })
  if (outcome.kind === 'accepted') {
    const eventId = outcome.events.find(({ envelope }) => envelope.type === event.type)?.envelope.id
    return { outcome: 'accepted', sessionId, call, verdict, eventId }
  }
  if (signal.aborted) {
    throw outcome.kind === 'unknown' ? interruptedWhile(signal.reason, mayHaveLanded(call, sessionId)) : signal.reason
  }
  const { error } = outcome
  // What is refused with `invalid_state` is not stored: somebody was faster, or history lags behind.
  const mayHaveBeenStored = outcome.kind === 'unknown' || error.serviceCode === 'no_active_turn'
  if (!mayHaveBeenStored && error.serviceCode !== 'invalid_state') throw error
  context.onSettling(error.message)
  const windowMs = mayHaveBeenStored ? settleMs : LISTED_WITHIN_MS
  const now = await answerInHistory(context, call, { sessionId, windowMs })
  const answer = now && answeredBefore(now, confirmation)
  if (answer !== undefined) return mayHaveBeenStored ? { ...answer, outcome: 'accepted' } : answer
  if (outcome.kind === 'rejected') throw error
  throw new HermError('unknown', error.message, { hint: mayHaveLanded(call, sessionId).hint, cause: error })
}

/** The report of a call that needs no answer any more. Throws `conflict` when it has another one. */
function answeredBefore(call: ToolCall, { sessionId, verdict }: Confirmation): ConfirmationReport | undefined {
  const { approval, toolUseId } = call
  if (approval === undefined) return undefined
  const { eventId } = approval
  if (approval.verdict === verdict) return { outcome: 'already_recorded', sessionId, call, verdict, eventId }
  const was = approval.verdict === 'allow' ? 'approved' : 'denied'
  throw new HermError(
    'conflict',
    `${toolUseId} was already ${was}${eventId === undefined ? '' : `, as ${eventId}`}; nothing is changed`,
    { hint: `See it with \`herm-tools events ${shellWord(sessionId)} --type user.tool_confirmation\`.` },
  )
}

function assertAwaited({ state, toolUseId, turnSince }: ToolCall, sessionId: string): void {
  if (state === 'awaiting_approval') return
  const where = `--session ${shellWord(sessionId)} --tool-use-id ${shellWord(toolUseId)}`
  if (state === 'waiting') {
    throw new HermError('rejected', `${toolUseId} waits for its result, and for no approval`, {
      hint: `Answer it, for example with \`herm-tools running ${where} --text …\`.`,
    })
  }
  const unanswered = `its turn ${turnSince === 'ended' ? 'ended' : 'went on'} without an answer`
  const reason = turnSince === undefined ? `it is ${state}` : unanswered
  throw new HermError('rejected', `${toolUseId} awaits no approval: ${reason}`, {
    hint: `\`herm-tools pending ${shellWord(sessionId)}\` lists the calls that do.`,
  })
}

/** The call once history shows an answer to it, or that none is awaited; undefined when it does not within the window. */
function answerInHistory(
  context: ConfirmationContext,
  { toolUseId, ...call }: ToolCall,
  { sessionId, windowMs }: { sessionId: string; windowMs: number },
): Promise<ToolCall | undefined> {
  return lookFor(context, {
    async look() {
      const now = (await readSessionState({ ...context, sessionId })).calls.get(toolUseId)
      return now?.approval !== undefined || now?.state !== 'awaiting_approval' ? now : undefined
    },
    windowMs,
    left: mayHaveLanded({ toolUseId, ...call }, sessionId),
  })
}

function mayHaveLanded({ toolUseId }: ToolCall, sessionId: string): { open: string; hint: string } {
  return {
    open: `the answer to ${toolUseId} may have been accepted`,
    hint: `Look with \`herm-tools pending ${shellWord(sessionId)}\`, or run the same command again, which looks before it sends.`,
  }
}

/** Assumed: history lists an accepted event within some seconds. */
const LISTED_WITHIN_MS = 5_000
