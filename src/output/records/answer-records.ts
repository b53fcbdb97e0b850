import * as z from 'zod/mini'
import { callResult, count, described, eventId, recordShape, text, textOrNull } from './record-shape.ts'

/** The calls that are not done, and what became of the answers. */

export const confirmation = recordShape(
  'confirmation',
  'approve, deny: how the approval request of a call is answered',
  {
    outcome: described(
      z.enum(['accepted', 'already_recorded']),
      'already_recorded: it was answered in this way before, and nothing is changed',
    ),
    session_id: text,
    tool_use_id: text,
    name: described(text, 'of the tool'),
    result: z.enum(['allow', 'deny']),
    event_id: eventId,
  },
)

export const pending = recordShape('pending', 'pending: one call to answer, to approve or to finish', {
  session_id: text,
  tool_use_id: text,
  name: described(text, 'of the tool'),
  state: described(
    z.enum(['waiting', 'running', 'awaiting_approval', 'expired']),
    'expired, with --expired: the turn went on without an answer, and a final still reaches the agent',
  ),
  asked_at: described(textOrNull, 'ISO 8601; null where only a result of the call was seen'),
  seconds_left: described(
    z.nullable(z.int()),
    'until the service stops waiting, negative once it has; null unless the call is waiting',
  ),
  result_event_id: described(textOrNull, 'the event of the running result, which a final takes the place of'),
  input: described(z.unknown(), 'what the agent gave the tool; null where it was not seen'),
})

export const result = recordShape('result', 'running, complete, fail: the outcome, and the event that records it', {
  outcome: described(
    z.enum(['accepted', 'already_recorded']),
    'already_recorded: this same result stood there before, and nothing was sent',
  ),
  session_id: text,
  tool_use_id: text,
  status: callResult,
  event_id: eventId,
  recorded_at: described(textOrNull, 'ISO 8601'),
  turns_waited: described(count, 'turns that ended while the result waited for its own'),
})

export const verdict = recordShape('verdict', 'reconcile: what was found out about one call', {
  session_id: text,
  tool_use_id: text,
  verdict: z.enum(['recorded', 'not_accepted', 'conflict', 'missing', 'open', 'unknown']),
  event_id: described(textOrNull, 'the event in history that holds a result of the call'),
  reason: described(textOrNull, 'why it is unknown'),
})
