import type { Envelope } from './envelope.ts'
import { firstString, isObject } from './json-text.ts'
import { joinedText } from './text-blocks.ts'
import type { ResultStatus } from './user-events.ts'

/** What the fold needs to know of an event that concerns one tool call. */
export type ToolEvent =
  | { kind: 'asked'; toolUseId: string; name: string; input: unknown }
  | { kind: 'approval_asked'; toolUseId: string; name: string; input: unknown }
  | { kind: 'approval_answered'; toolUseId: string; allowed: boolean; reason: string | undefined }
  | { kind: 'result'; toolUseId: string; status: ResultStatus; text: string; eventId: string | undefined }

/** Reads a tool event, or the patch of a `session.tool_updated`; undefined for every other event. */
export function toolEvent(envelope: Envelope): ToolEvent | undefined {
  const payload = envelope.payload
  switch (envelope.type) {
    case 'agent.custom_tool_use':
      return callOf('asked', envelope)
    case 'agent.approval_request':
      return callOf('approval_asked', envelope)
    case 'user.tool_confirmation':
      return confirmationOf(payload)
    case 'user.custom_tool_result':
      return resultOf(payload, envelope.id)
    case 'session.tool_updated':
      return isObject(payload.payload) ? resultOf(payload.payload, firstString(payload.event_id)) : undefined
    default:
      return undefined
  }
}

/**
 * Assumed payload: `tool_use_id`, `name`, `input`. Tolerated: `id` for `tool_use_id`, then the envelope's own id;
 * `arguments` for `input`.
 */
function callOf(kind: 'asked' | 'approval_asked', envelope: Envelope): ToolEvent | undefined {
  const { tool_use_id, id, name, input, arguments: args } = envelope.payload
  const toolUseId = firstString(tool_use_id, id, envelope.id)
  if (toolUseId === undefined) return undefined
  return { kind, toolUseId, name: firstString(name) ?? '', input: input ?? args }
}

/** Assumed payload: `result` is `"allow"` or `"deny"`; a denial may say why in `deny_message`. */
function confirmationOf(payload: Record<string, unknown>): ToolEvent | undefined {
  const toolUseId = firstString(payload.tool_use_id)
  if (toolUseId === undefined) return undefined
  const reason = firstString(payload.deny_message)
  return { kind: 'approval_answered', toolUseId, allowed: payload.result !== 'deny', reason }
}

function resultOf(payload: Record<string, unknown>, eventId: string | undefined): ToolEvent | undefined {
  const toolUseId = firstString(payload.tool_use_id)
  if (toolUseId === undefined) return undefined
  return { kind: 'result', toolUseId, status: statusOf(payload), text: joinedText(payload.content), eventId }
}

/** A result without a status the tool knows is a finished one: only the word `running` says that more will come. */
function statusOf({ status, is_error }: Record<string, unknown>): ResultStatus {
  if (status === 'running' || status === 'completed' || status === 'failed') return status
  return is_error === true ? 'failed' : 'completed'
}
