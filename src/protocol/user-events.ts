import type { TextBlock } from './text-blocks.ts'

/** What a `user.custom_tool_result` says of its call: `running` is the kickoff, the others end the call. */
export type ResultStatus = 'running' | FinalStatus
export type FinalStatus = 'completed' | 'failed'

/** The answer to an approval request, in the service's words. */
export type Verdict = 'allow' | 'deny'

/** An event that a user sends, as it stands in the `events` list of the request. */
export type UserEvent =
  | DrivingEvent
  | { type: 'user.tool_confirmation'; tool_use_id: string; result: Verdict; deny_message?: string }
  | {
      type: 'user.custom_tool_result'
      tool_use_id: string
      content: TextBlock[]
      status: ResultStatus
      is_error: boolean
    }

/** What drives a session, besides the answers to its calls. */
export type DrivingEvent = UserMessage | UserSteer | UserInterrupt
export type UserMessage = { type: 'user.message'; content: TextBlock[] }
export type UserSteer = { type: 'user.steer'; message: string }
export type UserInterrupt = { type: 'user.interrupt'; message?: string }

export function userMessage(content: TextBlock[]): UserMessage {
  return { type: 'user.message', content }
}

export function userSteer(message: string): UserSteer {
  return { type: 'user.steer', message }
}

export function userInterrupt(message: string | undefined): UserInterrupt {
  return { type: 'user.interrupt', ...(message !== undefined && { message }) }
}

/** Assumed, but for the type and `tool_use_id`: `result` is `"allow"` or `"deny"`, and a denial may say why in `deny_message`. */
export function toolConfirmation(options: {
  toolUseId: string
  verdict: Verdict
  denyMessage: string | undefined
}): UserEvent {
  const { toolUseId, verdict, denyMessage } = options
  return {
    type: 'user.tool_confirmation',
    tool_use_id: toolUseId,
    result: verdict,
    ...(denyMessage !== undefined && { deny_message: denyMessage }),
  }
}

/** protocol: `is_error` is true exactly when the status is `failed`; `delivery` is not allowed on a final, so it is never set. */
export function toolResult(options: { toolUseId: string; status: ResultStatus; content: TextBlock[] }): UserEvent {
  return {
    type: 'user.custom_tool_result',
    tool_use_id: options.toolUseId,
    content: options.content,
    status: options.status,
    is_error: options.status === 'failed',
  }
}
