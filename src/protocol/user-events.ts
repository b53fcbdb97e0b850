import type { TextBlock } from './result-text.ts'

/** What a `user.custom_tool_result` says of its call: `running` is the kickoff, the others end the call. */
export type ResultStatus = 'running' | FinalStatus
export type FinalStatus = 'completed' | 'failed'

/** An event that a user sends, as it stands in the `events` list of the request. */
export type UserEvent =
  | { type: 'user.message'; content: TextBlock[] }
  | {
      type: 'user.custom_tool_result'
      tool_use_id: string
      content: TextBlock[]
      status: ResultStatus
      is_error: boolean
    }

export function userMessage(content: TextBlock[]): UserEvent {
  return { type: 'user.message', content }
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
