import type { RawEvent } from '../protocol/envelope.ts'
import { joinedText } from '../protocol/text-blocks.ts'
import type { FinalStatus } from '../protocol/user-events.ts'
import type { NewId } from './ids.ts'
import type { IncomingConfirmation, IncomingEvent, IncomingResult } from './incoming-events.ts'
import type { PendingCallsOptions } from './pending-calls.ts'
import { refusal } from './refusal.ts'
import { createTurn, type Script, type Turn } from './turn.ts'

/** What starts a turn. `tool` is undefined for a final whose tool-use id was never asked in this session. */
export type Trigger =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'result'; readonly text: string; readonly tool: string | undefined; readonly status: FinalStatus }

export type SessionStatus = 'idle' | 'running' | 'requires_action'

export interface SessionTurns {
  /** Stores an event that a user sent and lets it act. Throws a refusal: `invalid_state`, `no_active_turn`. */
  accept(event: IncomingEvent): RawEvent
  status(): SessionStatus
  /** Drops the turn that runs, if any. */
  stop(): void
}

export interface SessionTurnsOptions extends Omit<PendingCallsOptions, 'register'> {
  readonly newId: NewId
  /** The agent's answer to what starts a turn. */
  readonly scriptFor: (trigger: Trigger) => Script
}

/**
 * Decides what a session accepts. It asks its own turn, not a fold of the events: the turn is their cause (a script stands
 * still in it, waiting), while a fold infers the same afterwards, at a cost that grows with the calls of the session.
 * That the two agree is held by a property test.
 */
export function createSessionTurns({ newId, scriptFor, ...options }: SessionTurnsOptions): SessionTurns {
  const { log } = options
  const toolNames = new Map<string, string>()
  /** By tool-use id: the running result that a final will replace. */
  const runningResults = new Map<string, RawEvent>()
  let turn: Turn | undefined

  return {
    accept(event) {
      switch (event.type) {
        case 'user.message':
          return acceptMessage(event)
        case 'user.custom_tool_result':
          return acceptResult(event)
        case 'user.tool_confirmation':
          return acceptConfirmation(event)
        case 'user.steer':
          currentTurn()
          return log.append(event)
        case 'user.interrupt':
          return acceptInterrupt(event)
      }
    },
    status() {
      if (turn === undefined) return 'idle'
      return turn.calls.any() ? 'requires_action' : 'running'
    },
    stop: () => turn?.drop(),
  }

  function acceptMessage(event: IncomingEvent & { type: 'user.message' }): RawEvent {
    requireIdle()
    const stored = log.append(event)
    begin({ kind: 'message', text: joinedText(event.content) })
    return stored
  }

  function acceptResult(event: IncomingResult): RawEvent {
    const toolUseId = event.tool_use_id
    const awaited = turn?.calls.awaited(toolUseId)
    if (awaited === 'approval') throw refusal('invalid_state', `${toolUseId} still waits for its approval`)
    if (awaited === 'answer') {
      const stored = storeResult(event)
      turn?.calls.settle(toolUseId, { status: event.status, text: joinedText(event.content) })
      return stored
    }
    const isLate = turn?.calls.takeExpired(toolUseId) ?? false
    if (event.status === 'running' || isLate) {
      storeResult(event)
      throw refusal('no_active_turn', `the session no longer waits for ${toolUseId}; the event was stored`)
    }
    return acceptFinal(event, event.status)
  }

  function storeResult(event: IncomingResult): RawEvent {
    const stored = log.append(event)
    if (event.status === 'running' && !runningResults.has(event.tool_use_id)) {
      runningResults.set(event.tool_use_id, stored)
    }
    return stored
  }

  /** protocol: finals are not idempotent, and one that matches no running result is appended; each starts a turn. */
  function acceptFinal(event: IncomingResult, status: FinalStatus): RawEvent {
    requireIdle()
    const running = runningResults.get(event.tool_use_id)
    runningResults.delete(event.tool_use_id)
    const stored = running === undefined ? log.append(event) : log.replaceResult(running, event)
    begin({ kind: 'result', text: joinedText(event.content), tool: toolNames.get(event.tool_use_id), status })
    return stored
  }

  function acceptConfirmation(event: IncomingConfirmation): RawEvent {
    const { calls } = currentTurn()
    const toolUseId = event.tool_use_id
    if (calls.awaited(toolUseId) !== 'approval') throw refusal('invalid_state', `${toolUseId} waits for no approval`)
    const stored = log.append(event)
    if (event.result === 'allow') calls.allow(toolUseId)
    else calls.settle(toolUseId, { status: 'denied', text: event.deny_message ?? '' })
    return stored
  }

  function acceptInterrupt(event: IncomingEvent): RawEvent {
    const interrupted = currentTurn()
    const stored = log.append(event)
    interrupted.end({ type: 'end_turn' })
    return stored
  }

  function currentTurn(): Turn {
    if (turn === undefined) throw refusal('invalid_state', 'no turn is running')
    return turn
  }

  function requireIdle(): void {
    if (turn !== undefined) throw refusal('invalid_state', 'a turn is running, or waits for an answer')
  }

  function begin(trigger: Trigger): void {
    turn = createTurn({
      ...options,
      register: registerCall,
      onEnd: () => {
        turn = undefined
      },
    })
    void turn.play(scriptFor(trigger))
  }

  function registerCall(toolName: string): string {
    const toolUseId = newId('custom_toolu')
    toolNames.set(toolUseId, toolName)
    return toolUseId
  }
}
