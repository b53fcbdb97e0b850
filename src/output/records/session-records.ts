import * as z from 'zod/mini'
import { callResult, count, described, eventId, recordShape, text, textOrNull } from './record-shape.ts'

/** What happens to a session, and in the watch over it. */

const stopReason = z.strictObject({
  type: described(text, 'end_turn, error, or another word of the service'),
  message: described(z.optional(text), 'what the error was'),
})

export const idle = recordShape('idle', 'wait: the session is idle, and how its turn ended', {
  session_id: text,
  stop_reason: stopReason,
})

const sent = { outcome: z.literal('accepted'), session_id: text, event_id: eventId }

export const message = recordShape('message', 'message: it was accepted', sent)
export const steer = recordShape('steer', 'steer: it was accepted', sent)
export const interrupt = recordShape('interrupt', 'interrupt: it was accepted', sent)

export const reply = recordShape('reply', 'message --wait: the turn is over, and what the agent said in it', {
  session_id: text,
  message_event_id: described(textOrNull, 'the message that began the turn'),
  stop_reason: stopReason,
  text: described(text, 'the messages of the agent, one below the other; empty for none'),
  event_ids: described(z.array(text), 'the events that the text is of'),
})

export const frame = recordShape('frame', 'watch: a frame of the stream that holds no event', {
  session_id: text,
  name: described(text, 'of the server-sent event'),
  data: text,
})

export const reconnected = recordShape('reconnected', 'watch: the connection stands again, and what was missed', {
  session_id: text,
  reason: described(z.enum(['closed', 'lost', 'quiet', 'no-content']), 'how the connection before it ended'),
  down_ms: described(count, 'milliseconds without a connection'),
  after_sequence: described(z.nullable(z.number()), 'the last event before it; null where there was none'),
  recovered: described(count, 'events that happened meanwhile; they are printed before this record'),
})

export const resultUpdated = recordShape('result_updated', 'watch: a result that changed in history', {
  session_id: text,
  event_id: textOrNull,
  tool_use_id: textOrNull,
  previous_status: described(callResult, 'what was printed before'),
  status: z.nullable(callResult),
  event: described(z.unknown(), 'as the service wrote it'),
})
