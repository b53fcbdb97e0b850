import * as z from 'zod/mini'
import { callResult, count, described, eventId, recordShape, text, textOrNull, time } from './record-shape.ts'

/** The journal of this machine. */

export const job = recordShape('job', 'jobs: one call of the journal', {
  tool_use_id: text,
  session_id: text,
  base_url: text,
  tool_name: textOrNull,
  state: described(
    z.enum(['seen', 'kickoff', 'completed', 'failed', 'in_doubt']),
    'in_doubt: a result may have left, and its outcome was never learned',
  ),
  kickoff: z.nullable(z.strictObject({ event_id: eventId, recorded_at: time })),
  intent: described(
    z.nullable(z.strictObject({ status: callResult, attempt: described(count, 'counts from 1'), written_at: time })),
    'a result that was about to be sent',
  ),
  final: z.nullable(
    z.strictObject({
      status: z.enum(['completed', 'failed']),
      event_id: eventId,
      recorded_at: time,
      source: described(z.enum(['accepted', 'history']), 'sent from here, or found in history'),
    }),
  ),
  first_seen_at: time,
  updated_at: time,
})

export const jobForgotten = recordShape('job_forgotten', 'jobs forget: the call that is gone from the journal', {
  tool_use_id: text,
  session_id: text,
  base_url: text,
})

export const jobKeptAside = recordShape(
  'job_kept_aside',
  'jobs forget: where an entry is kept that could not be read',
  { tool_use_id: text, path: text },
)
