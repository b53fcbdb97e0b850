import type { Envelope } from './envelope.ts'
import {
  ANSWER_LIMIT_MS,
  addToolEvent,
  bestResult,
  type CallState,
  isFinal,
  newSeenCall,
  resultsInOrder,
  type SeenCall,
  type ToolCall,
} from './tool-call.ts'
import { toolEvent } from './tool-events.ts'
import { type StopReason, turnEvent } from './turn-event.ts'
import { type Mark, type Marks, markTurn, newMarks, timeOf } from './turn-marks.ts'

export type Turn =
  /** No event seen says anything of a turn, as in a new session. */
  | { readonly state: 'unknown' }
  | { readonly state: 'idle'; readonly stopReason: StopReason }
  /** `stated`: the service said so; otherwise it is inferred, and worth asking when it lasts. */
  | { readonly state: 'running'; readonly stated: boolean }
  | { readonly state: 'blocked'; readonly toolUseIds: readonly string[] }

export interface SessionState {
  readonly turn: Turn
  readonly lastSequence: number | undefined
  /** By tool-use id, in the order in which they were asked. */
  readonly calls: ReadonlyMap<string, ToolCall>
}

export interface SessionFold {
  /** Takes an envelope in any order, any number of times, in any of its versions. */
  add(envelope: Envelope): void
  state(): SessionState
  /** One call as it is now, without working out all the others; undefined when nothing of it was seen. */
  call(toolUseId: string): ToolCall | undefined
}

/**
 * The one place that knows what a session's state is. Only maxima are kept (the latest turn event, the latest end of a
 * turn, the strongest result of each call), and the state is derived from them when asked: so the order in which
 * events arrive, their repetition and the split into pages cannot matter.
 */
export function createSessionFold(): SessionFold {
  const records = new Map<string, SeenCall>()
  const latest = newMarks()
  let lastSequence: number | undefined
  let derived: SessionState | undefined

  return {
    add(envelope) {
      derived = undefined
      const turn = turnEvent(envelope)
      if (turn !== undefined) markTurn(latest, turn, envelope)
      const tool = toolEvent(envelope)
      if (tool !== undefined) {
        const record = records.get(tool.toolUseId) ?? newSeenCall(tool.toolUseId)
        records.set(tool.toolUseId, record)
        addToolEvent(record, tool, envelope)
      }
      // An ephemeral frame may carry a sequence, but history will never show it.
      if (envelope.sequence !== undefined && envelope.type !== 'session.tool_updated') {
        lastSequence = Math.max(lastSequence ?? envelope.sequence, envelope.sequence)
      }
    },
    state() {
      derived ??= { turn: currentTurn(latest, records), lastSequence, calls: callsOf(records, latest) }
      return derived
    },
    call(toolUseId) {
      const record = records.get(toolUseId)
      return record && callOf(record, latest)
    },
  }
}

function currentTurn(latest: Marks, records: ReadonlyMap<string, SeenCall>): Turn {
  if (latest.turn === undefined) return { state: 'unknown' }
  const { event } = latest.turn
  if (event.state === 'idle') return finalSince(records, latest.turn) ? { state: 'running', stated: false } : event
  const blocking = event.state === 'blocked' ? unanswered(event.toolUseIds, records) : waitingIds(latest, records)
  if (blocking.length > 0) return { state: 'blocked', toolUseIds: blocking }
  return { state: 'running', stated: event.state === 'running' && event.stated }
}

/**
 * protocol: an accepted final starts a turn. One that is appended has a number of its own; one that replaces a running
 * result has that of the kickoff, and only its time can tell.
 */
function finalSince(records: ReadonlyMap<string, SeenCall>, idle: Mark): boolean {
  for (const record of records.values()) {
    for (const result of record.results.values()) {
      if (!isFinal(result)) continue
      if ((result.sequence ?? 0) > idle.sequence || Date.parse(result.at ?? '') > timeOf(idle)) return true
    }
  }
  return false
}

function unanswered(toolUseIds: readonly string[], records: ReadonlyMap<string, SeenCall>): string[] {
  return toolUseIds.filter((id) => {
    const record = records.get(id)
    if (record === undefined) return true
    return record.results.size === 0 && !(record.asked === undefined && record.approval !== undefined)
  })
}

function waitingIds(latest: Marks, records: ReadonlyMap<string, SeenCall>): string[] {
  const waiting = inOrder(records).filter((record) =>
    ['waiting', 'awaiting_approval'].includes(callState(record, latest)),
  )
  return waiting.map(({ toolUseId }) => toolUseId)
}

function callsOf(records: ReadonlyMap<string, SeenCall>, latest: Marks): Map<string, ToolCall> {
  return new Map(inOrder(records).map((record) => [record.toolUseId, callOf(record, latest)]))
}

function inOrder(records: ReadonlyMap<string, SeenCall>): SeenCall[] {
  return [...records.values()].sort((a, b) => askedOrder(a) - askedOrder(b) || (a.toolUseId < b.toolUseId ? -1 : 1))
}

/** A call of which only a result was seen comes first: whatever asked for it is older than all that was read. */
function askedOrder({ approvalAsked, asked }: SeenCall): number {
  return (approvalAsked ?? asked)?.sequence ?? 0
}

function callOf(record: SeenCall, latest: Marks): ToolCall {
  const asked = record.asked ?? record.approvalAsked
  const state = callState(record, latest)
  return {
    toolUseId: record.toolUseId,
    name: asked?.name ?? '',
    input: asked?.input,
    askedAt: asked?.at,
    deadline: answerDeadline(record.asked?.at),
    state,
    turnSince: state === 'expired' || state === 'withdrawn' ? turnSince(record, latest) : undefined,
    approval: record.approval,
    result: bestResult(record),
    results: resultsInOrder(record),
  }
}

function callState(record: SeenCall, latest: Marks): CallState {
  const result = bestResult(record)
  if (result !== undefined) return result.status
  if (record.approval?.verdict === 'deny') return 'denied'
  if (turnSince(record, latest) !== undefined) return record.asked === undefined ? 'withdrawn' : 'expired'
  if (record.asked !== undefined) return 'waiting'
  return record.approval?.verdict === 'allow' ? 'approved' : 'awaiting_approval'
}

/**
 * Whether the service has stopped waiting for an answer, and what the turn did then. Assumed: after five minutes the turn
 * goes on without one. Seen by an end of the turn, as after an interrupt, by a block on other calls only, by activity after a
 * block, or, where no block was stated, by activity past the deadline (an approval has none).
 */
function turnSince(record: SeenCall, { end, blocked, activity }: Marks): ToolCall['turnSince'] {
  const { toolUseId, asked, approvalAsked, approval } = record
  const since = (asked ?? approvalAsked)?.sequence
  if (since === undefined) return undefined
  if (end !== undefined && end.sequence > since) return 'ended'
  const wasBlocked = blocked !== undefined && blocked.sequence > since
  if (wasBlocked && !blocked.event.toolUseIds.includes(toolUseId)) return 'went_on'
  if (activity === undefined) return undefined
  if (wasBlocked) {
    const isAllowed = asked === undefined && approval?.verdict === 'allow'
    return activity.sequence > blocked.sequence && !isAllowed ? 'went_on' : undefined
  }
  const due = answerDeadline(asked?.at)
  return due !== undefined && activity.sequence > since && timeOf(activity) > due ? 'went_on' : undefined
}

function answerDeadline(askedAt: string | undefined): number | undefined {
  const at = Date.parse(askedAt ?? '')
  return Number.isNaN(at) ? undefined : at + ANSWER_LIMIT_MS
}
