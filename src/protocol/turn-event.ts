import type { Envelope } from './envelope.ts'
import { isObject } from './json-text.ts'

/** Why a turn stopped; unknown reasons pass through and count as an end. */
export interface StopReason {
  readonly type: string
  readonly message?: string
}

/**
 * What one event says about the turn at the moment it happened.
 * `stated` events are the service's own word; the others are inferred from what starts or belongs to a turn.
 */
export type TurnEvent =
  | { state: 'idle'; stopReason: StopReason; stated: true }
  | { state: 'blocked'; toolUseIds: string[]; stated: true }
  | { state: 'running'; stated: boolean }

/**
 * protocol: `session.status_idle` with `requires_action` is a blocked turn, not idle.
 * Assumed: `session.status_running` begins a turn; where it is absent, any `agent.*` event means that one runs, and a
 * `user.message` starts one. (A final result starts one too, but only the fold can tell a final from an immediate answer.)
 */
export function turnEvent(envelope: Envelope): TurnEvent | undefined {
  if (envelope.type === 'session.status_idle') return idleOrBlocked(envelope.payload.stop_reason)
  if (envelope.type === 'session.status_running') return { state: 'running', stated: true }
  if (envelope.type.startsWith('agent.') || envelope.type === 'user.message') return { state: 'running', stated: false }
  return undefined
}

function idleOrBlocked(stopReason: unknown): TurnEvent {
  const reason = isObject(stopReason) ? stopReason : {}
  if (reason.type === 'requires_action') {
    const ids = Array.isArray(reason.event_ids) ? reason.event_ids : []
    return { state: 'blocked', toolUseIds: ids.filter((id) => typeof id === 'string'), stated: true }
  }
  const type = typeof reason.type === 'string' ? reason.type : 'end_turn'
  const message = typeof reason.message === 'string' ? { message: reason.message } : {}
  return { state: 'idle', stopReason: { type, ...message }, stated: true }
}
