import { HermError } from '../errors.ts'
import type { Envelope } from '../protocol/envelope.ts'
import type { SessionState } from '../protocol/session-fold.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { joinedText } from '../protocol/text-blocks.ts'
import { type StopReason, turnEvent } from '../protocol/turn-event.ts'
import type { UserMessage } from '../protocol/user-events.ts'
import { createAgentMessages } from './agent-messages.ts'
import { type FollowUpdate, follow } from './follow.ts'
import { lookFor } from './look-for.ts'
import { type ObserveOptions, observe } from './observe.ts'
import { inOrder, readHistory } from './read-history.ts'
import { mayHaveLanded, sendEvent } from './send-event.ts'
import { waitLimit } from './wait-limit.ts'

export interface QuestionOptions extends ObserveOptions {
  readonly signal: AbortSignal
  readonly message: UserMessage
  /** The limit of all waiting. */
  readonly timeoutMs: number
  /** How long history is searched for a message whose event nobody told, ms. */
  readonly settleMs: number
  readonly onSettling: (reason: string) => void
  readonly onAccepted: (event: Envelope) => void
  /** Told of every state of the turn until it is over. */
  readonly onState: (state: SessionState) => void
  readonly onUpdate: (update: FollowUpdate) => void
}

export interface Reply {
  readonly message: Envelope
  readonly stopReason: StopReason
  /** What the agent said, one message below the other. */
  readonly text: string
  /** The events in which it was said. */
  readonly eventIds: readonly string[]
}

/**
 * Sends a message and waits for the end of the turn that it starts. Subscribes before it posts, so that nothing is missed;
 * and since history may lag, only what has a higher sequence than the message belongs to its turn.
 * Throws `timeout`, what the service refused, `failed` when history begins anew, and `unknown` when it cannot be settled whether the message was accepted;
 * once it is, every error says so.
 */
export async function askAgent(options: QuestionOptions): Promise<Reply> {
  const limit = waitLimit(options)
  const following = { ...options, signal: limit.signal }
  const messages = createAgentMessages()
  let sent: Envelope | undefined
  try {
    for await (const batch of observe(follow(following), { ...following, askWhenInDoubt: false })) {
      for (const { update, state } of batch) {
        if (update === undefined) continue
        limit.told(update)
        options.onUpdate(update)
        if (update.kind === 'begun_anew') throw new HermError('failed', 'the history of the session has begun anew')
        if (update.kind === 'caught_up' && sent === undefined) {
          sent = await send(options, state().lastSequence ?? 0)
          options.onAccepted(sent)
        }
        if (!('event' in update) || sent === undefined || !isAfter(update.event.envelope, sent)) continue
        const { envelope } = update.event
        messages.add(envelope)
        const turn = turnEvent(envelope)
        if (turn?.state === 'idle') {
          return { message: sent, stopReason: turn.stopReason, text: messages.text(), eventIds: messages.eventIds() }
        }
        limit.seen(state())
        options.onState(state())
      }
    }
    throw new HermError('failed', 'the event stream ended')
  } catch (error) {
    const isStop = error === limit.signal.reason || error === options.signal.reason
    throw isStop || sent !== undefined ? leftOpen(error, options, sent) : error
  } finally {
    limit.dispose()
  }
}

/** The event of the message. Where no answer tells it, history does: it comes after `lastSequence` and has this text. */
async function send(options: QuestionOptions, lastSequence: number): Promise<Envelope> {
  const { client, sessionId, message, signal } = options
  let doubt: HermError | undefined
  try {
    const accepted = await sendEvent({ client, sessionId, event: message, signal })
    if (accepted?.sequence !== undefined) return accepted
  } catch (error) {
    if (signal.aborted || !(error instanceof HermError) || error.kind !== 'unknown') throw error
    doubt = error
  }
  options.onSettling(doubt?.message ?? 'the service did not tell the event of the message')
  const text = joinedText(message.content)
  const isSent = ({ type, sequence = 0, payload }: Envelope) =>
    type === message.type && sequence > lastSequence && joinedText(payload.content) === text
  const found = await lookFor(options, {
    look: async () => inOrder(await readHistory(options)).findLast(({ envelope }) => isSent(envelope))?.envelope,
    windowMs: options.settleMs,
    left: mayHaveLanded(sessionId, message),
  })
  if (found !== undefined) return found
  if (doubt !== undefined) throw doubt
  throw new HermError('unknown', 'the message is accepted, and history does not show it: its turn cannot be told', {
    hint: `See it with \`herm-tools watch ${shellWord(sessionId)}\`.`,
  })
}

function isAfter({ sequence }: Envelope, message: Envelope): boolean {
  return sequence !== undefined && sequence > (message.sequence ?? 0)
}

/** The reason of an end before the turn's, with what was done until then. */
function leftOpen(reason: unknown, { sessionId }: QuestionOptions, sent: Envelope | undefined): unknown {
  if (!(reason instanceof HermError)) return reason
  const as = sent?.id === undefined ? '' : ` as ${sent.id}`
  const [done, hint] =
    sent === undefined
      ? ['nothing was sent', 'Run the same command again.']
      : [`the message is accepted${as}`, `See how it goes on: herm-tools watch ${shellWord(sessionId)}`]
  // `unreachable` says that nothing was sent.
  const kind = sent !== undefined && reason.kind === 'unreachable' ? 'failed' : reason.kind
  const { serviceCode, status } = reason
  return new HermError(kind, `${reason.message}; ${done}`, { hint, serviceCode, status, cause: reason })
}
