import type { HermClient } from '../client/herm-client.ts'
import type { Clock } from '../clock.ts'
import type { SessionState } from '../protocol/session-fold.ts'
import type { TextBlock } from '../protocol/text-blocks.ts'
import type { ToolCall } from '../protocol/tool-call.ts'
import type { ResultStatus } from '../protocol/user-events.ts'
import type { CallKey, Journal } from '../store/journal.ts'
import type { LockOwner } from '../store/lock-folder.ts'
import type { FollowUpdate } from './follow.ts'

/** A result to deliver, and how. */
export interface Delivery {
  readonly key: CallKey
  readonly status: ResultStatus
  readonly content: readonly TextBlock[]
  /** Of status and text; see resultDigest. */
  readonly digest: string
  /** The limit of all waiting before the result is sent. */
  readonly timeoutMs: number
  /** How long history is searched for a result whose answer was lost. */
  readonly settleMs: number
  /** Send again when the result turns out not to have been accepted. */
  readonly resend: boolean
  /** Send a final although one is recorded, or although the call was never seen. */
  readonly force: boolean
}

export interface DeliveryReport {
  /** `already_recorded`: this same result stood in the journal or in history, and nothing was sent. */
  readonly outcome: 'accepted' | 'already_recorded'
  readonly key: CallKey
  readonly status: ResultStatus
  /** Undefined when the service never told it. */
  readonly eventId: string | undefined
  /** When it was recorded, ISO 8601. */
  readonly recordedAt: string | undefined
  /** Turns that ended while the final waited for its own; 0 when nothing was sent. */
  readonly turnsWaited: number
}

/** What a person would like to know while it goes on. Nothing here changes the outcome. */
export type DeliveryNote =
  | { kind: 'call_locked'; owner: LockOwner | undefined }
  | { kind: 'finals_locked'; owner: LockOwner | undefined }
  | { kind: 'not_seen_yet' }
  | { kind: 'found'; call: ToolCall }
  | { kind: 'waiting'; sessionId: string; state: SessionState; timeoutMs: number }
  | { kind: 'warning'; message: string }
  | { kind: 'sending'; as: SendAs; attempt: number }
  | { kind: 'put_off'; reason: string; pauseMs: number }
  | { kind: 'settling'; reason: string; windowMs: number }
  | { kind: 'not_accepted'; willResend: boolean }
  | { kind: 'connection'; update: FollowUpdate }

/** How a result reaches its call: as the answer that the turn is blocked on, or as a final that starts a new turn. */
export type SendAs = 'kickoff' | 'immediate' | 'final'

export interface DeliveryContext {
  readonly client: HermClient
  readonly journal: Journal
  readonly clock: Clock
  readonly random: () => number
  /** Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal
  readonly notify: (note: DeliveryNote) => void
}
