import { type Envelope, isSettled } from './envelope.ts'
import { resultDigest } from './result-digest.ts'
import type { ToolEvent } from './tool-events.ts'
import type { ResultStatus, Verdict } from './user-events.ts'

/** protocol: the answer to a call is due in about five minutes. */
export const ANSWER_LIMIT_MS = 5 * 60_000

/**
 * What is left of the time that an answer has, negative when it is over; all in milliseconds. Never more than the whole: the
 * service tells its time in whole seconds, and may seem to be some of one behind.
 */
export function answerTimeLeft(deadline: number, now: number): number {
  return Math.min(deadline - now, ANSWER_LIMIT_MS)
}

export type CallState =
  | 'awaiting_approval'
  /** Allowed; the service has yet to ask for it. */
  | 'approved'
  /** Asked, unanswered, and the turn is blocked on it. */
  | 'waiting'
  /** Answered by a kickoff; a final is still owed. */
  | 'running'
  | 'completed'
  | 'failed'
  /** The turn went on, or ended, without an answer. */
  | 'expired'
  /** The same while it awaited approval, or right after: the tool was never called, and takes no result. */
  | 'withdrawn'
  | 'denied'

export interface CallResult {
  readonly eventId: string | undefined
  readonly status: ResultStatus
  /** Of status and text; see resultDigest. The text itself may be of megabytes. */
  readonly digest: string
  readonly sequence: number | undefined
  /** When the service recorded it (ISO 8601), where it says so. */
  readonly at: string | undefined
}

export interface Approval {
  readonly verdict: Verdict
  readonly eventId: string | undefined
}

export interface ToolCall {
  readonly toolUseId: string
  readonly name: string
  /** Undefined from the first final on: of what is done, only the outcome is kept. */
  readonly input: unknown
  /** ISO 8601, the service's time; undefined when only a result of the call was seen. */
  readonly askedAt: string | undefined
  /** When the service stops waiting for an answer, in milliseconds since the epoch by its own clock. */
  readonly deadline: number | undefined
  readonly state: CallState
  /** What became of the turn of a call that expired or was withdrawn, as far as it was seen. */
  readonly turnSince: 'went_on' | 'ended' | undefined
  /** The answer to its approval request, where there was one. */
  readonly approval: Approval | undefined
  readonly result: CallResult | undefined
  /** All results of this call, one for each event id, the one that counts last; several where a second final was sent. */
  readonly results: readonly CallResult[]
}

/** All that was seen of one call. Every field is a maximum of some order, so adding events in any order gives the same. */
export interface SeenCall {
  readonly toolUseId: string
  asked: Asked | undefined
  approvalAsked: Asked | undefined
  approval: Approval | undefined
  /** By event id: a final replaces the running result under the same one. */
  readonly results: Map<string, CallResult>
}

export interface Asked {
  readonly name: string
  readonly input: unknown
  readonly at: string | undefined
  readonly sequence: number
  readonly isSettled: boolean
}

export function newSeenCall(toolUseId: string): SeenCall {
  return { toolUseId, asked: undefined, approvalAsked: undefined, approval: undefined, results: new Map() }
}

export function addToolEvent(record: SeenCall, event: ToolEvent, envelope: Envelope): void {
  const at = envelope.processedAt ?? envelope.createdAt
  switch (event.kind) {
    case 'asked':
      record.asked = laterAsked(record.asked, askedOf(event, envelope))
      break
    case 'approval_asked':
      record.approvalAsked = laterAsked(record.approvalAsked, askedOf(event, envelope))
      break
    case 'approval_answered':
      record.approval = strongerApproval(record.approval, {
        verdict: event.allowed ? 'allow' : 'deny',
        eventId: envelope.id,
      })
      break
    case 'result': {
      const { eventId, status, text } = event
      const key = eventId ?? ''
      const result = {
        eventId,
        status,
        digest: resultDigest(status, text),
        at,
        sequence: envelope.type === 'session.tool_updated' ? undefined : envelope.sequence,
      }
      record.results.set(key, strongerVersion(record.results.get(key), result))
    }
  }
  if ([...record.results.values()].some(isFinal)) forgetInput(record)
}

/** A session may have a hundred thousand calls that are done. */
function forgetInput(record: SeenCall): void {
  if (record.asked !== undefined) record.asked = { ...record.asked, input: undefined }
  if (record.approvalAsked !== undefined) record.approvalAsked = { ...record.approvalAsked, input: undefined }
}

/** The results of a call, running ones before finals, earlier before later: the last is the one that counts. */
export function resultsInOrder(record: SeenCall): CallResult[] {
  return [...record.results.values()].sort(
    (a, b) =>
      Number(isFinal(a)) - Number(isFinal(b)) ||
      (a.sequence ?? 0) - (b.sequence ?? 0) ||
      compareVersions(a, b) ||
      compareText(a.eventId ?? '', b.eventId ?? ''),
  )
}

export function bestResult(record: SeenCall): CallResult | undefined {
  return resultsInOrder(record).at(-1)
}

export function isFinal(result: CallResult): boolean {
  return result.status !== 'running'
}

function askedOf({ name, input }: { name: string; input: unknown }, envelope: Envelope): Asked {
  return { name, input, at: envelope.createdAt, sequence: envelope.sequence ?? 0, isSettled: isSettled(envelope) }
}

function laterAsked(known: Asked | undefined, seen: Asked): Asked {
  if (known === undefined) return seen
  const order = seen.sequence - known.sequence || Number(seen.isSettled) - Number(known.isSettled)
  return order > 0 ? seen : known
}

/** A denial is the stronger one: what was denied is not called. */
function strongerApproval(known: Approval | undefined, seen: Approval): Approval {
  if (known === undefined) return seen
  const order =
    Number(seen.verdict === 'deny') - Number(known.verdict === 'deny') ||
    compareText(known.eventId ?? '', seen.eventId ?? '')
  return order > 0 ? seen : known
}

/** Two versions of one event: the final replaces the running one; a patch has no sequence of its own and takes the event's. */
function strongerVersion(known: CallResult | undefined, seen: CallResult): CallResult {
  if (known === undefined) return seen
  const stronger = compareVersions(seen, known) > 0 ? seen : known
  return { ...stronger, sequence: laterSequence(known.sequence, seen.sequence) }
}

function laterSequence(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

/** A total order, so that the choice does not depend on which version came first. */
function compareVersions(a: CallResult, b: CallResult): number {
  return (
    Number(isFinal(a)) - Number(isFinal(b)) || compareText(a.at ?? '', b.at ?? '') || compareText(a.digest, b.digest)
  )
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
