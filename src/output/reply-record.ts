import type { Reply } from '../session/ask-agent.ts'
import type { Printable } from './reporter.ts'
import { visible } from './visible-text.ts'

/** A `herm_tools.reply`; for people, what the agent said. */
export function replyRecord({ message, stopReason, text, eventIds }: Reply, sessionId: string): Printable {
  return {
    json: {
      type: 'herm_tools.reply',
      session_id: sessionId,
      message_event_id: message.id ?? null,
      stop_reason: stopReason,
      text,
      event_ids: [...eventIds],
    },
    text: () => visible(text) || undefined,
  }
}
