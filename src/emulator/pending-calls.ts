import type { Clock } from '../clock.ts'
import type { ResultStatus } from '../protocol/user-events.ts'
import type { EventLog, Payload } from './event-log.ts'

type PermissionPolicy = 'always_allow' | 'always_ask' | 'always_deny'

export interface CallRequest {
  readonly tool: string
  readonly input: unknown
  readonly policy: PermissionPolicy
}

/** How the turn goes on after a call; `expired` when no answer came in time. */
export interface CallOutcome {
  readonly status: ResultStatus | 'denied' | 'expired'
  readonly text: string
}

/** The calls that block one turn. */
export interface PendingCalls {
  /** Makes the calls at once; resolves, in their order, when the turn waits for none of them. Rejects when abandoned. */
  ask(requests: readonly CallRequest[]): Promise<CallOutcome[]>
  /** What is waited for; undefined when the turn does not wait for this call. */
  awaited(toolUseId: string): 'answer' | 'approval' | undefined
  /** Only for a call that is waited for. */
  settle(toolUseId: string, outcome: CallOutcome): void
  /** Makes a call that waits for its approval. */
  allow(toolUseId: string): void
  /** Whether this turn went on without an answer to the call; true once, for the answer that comes too late. */
  takeExpired(toolUseId: string): boolean
  /** Whether the turn is blocked. */
  any(): boolean
  abandon(reason: unknown): void
}

export interface PendingCallsOptions {
  readonly log: EventLog
  readonly clock: Clock
  readonly answerLimitMs: number
  /** Makes the id of a new call. */
  readonly register: (toolName: string) => string
}

interface Waiting {
  readonly request: CallRequest
  readonly resolve: (outcome: CallOutcome) => void
  readonly reject: (reason: unknown) => void
  awaited: 'answer' | 'approval'
  /** Ends the wait for the answer limit. */
  readonly timer: AbortController
}

export function createPendingCalls({ log, clock, answerLimitMs, register }: PendingCallsOptions): PendingCalls {
  const waiting = new Map<string, Waiting>()
  const expired = new Set<string>()

  return {
    ask(requests) {
      const outcomes = requests.map((request) => (request.policy === 'always_deny' ? DENIED : begin(request)))
      if (waiting.size > 0) announce()
      return Promise.all(outcomes)
    },
    awaited: (toolUseId) => waiting.get(toolUseId)?.awaited,
    settle,
    allow(toolUseId) {
      askForAnswer(toolUseId, waiting.get(toolUseId) as Waiting)
      announce()
    },
    takeExpired: (toolUseId) => expired.delete(toolUseId),
    any: () => waiting.size > 0,
    abandon(reason) {
      for (const call of waiting.values()) {
        call.timer.abort(reason)
        call.reject(reason)
      }
      waiting.clear()
    },
  }

  function begin(request: CallRequest): Promise<CallOutcome> {
    return new Promise((resolve, reject) => {
      const toolUseId = register(request.tool)
      const call: Waiting = { request, resolve, reject, awaited: 'approval', timer: new AbortController() }
      waiting.set(toolUseId, call)
      if (request.policy === 'always_ask') log.append(callPayload('agent.approval_request', toolUseId, request))
      else askForAnswer(toolUseId, call)
    })
  }

  /** Assumed: after the limit the turn goes on without the answer. An approval has no limit. */
  function askForAnswer(toolUseId: string, call: Waiting): void {
    call.awaited = 'answer'
    log.append(callPayload('agent.custom_tool_use', toolUseId, call.request))
    // The answer that comes at the last millisecond is in time.
    clock.sleep(answerLimitMs + 1, call.timer.signal).then(
      () => {
        if (waiting.get(toolUseId) !== call) return
        expired.add(toolUseId)
        settle(toolUseId, { status: 'expired', text: '' })
      },
      () => {},
    )
  }

  function settle(toolUseId: string, outcome: CallOutcome): void {
    const call = waiting.get(toolUseId) as Waiting
    waiting.delete(toolUseId)
    call.timer.abort(outcome)
    announce()
    call.resolve(outcome)
  }

  /** Assumed: answering one of several calls leaves `requires_action` with the rest. */
  function announce(): void {
    const stopReason = { type: 'requires_action', event_ids: [...waiting.keys()] }
    if (waiting.size > 0) log.append({ type: 'session.status_idle', stop_reason: stopReason })
    else log.append({ type: 'session.status_running' })
  }
}

function callPayload(type: string, toolUseId: string, { tool, input }: CallRequest): Payload {
  return { type, tool_use_id: toolUseId, name: tool, input }
}

/** protocol: `always_deny` never calls. */
const DENIED: CallOutcome = { status: 'denied', text: '' }
