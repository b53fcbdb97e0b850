import type { RawEvent } from '../protocol/envelope.ts'
import type { Place, Timeline } from '../protocol/timeline.ts'
import type { FollowUpdate } from './follow.ts'
import { inOrder } from './read-history.ts'

/**
 * The news of the timeline after history was read for the first time: what is listed is past, what only the stream has
 * told is not. What lies before the place to go on from is known, and comes first.
 */
export function* firstReading(
  history: readonly RawEvent[],
  { timeline, after }: { timeline: Timeline; after: Place | undefined },
): Generator<FollowUpdate, void> {
  if (after !== undefined) {
    for (const event of inOrder(history)) {
      if ((event.envelope.sequence ?? 0) <= after.sequence) yield { kind: 'known', event }
    }
  }
  const listed = new Set(history.map(({ envelope }) => envelope.id))
  for (const update of timeline.take()) {
    const isPast = update.kind === 'event' && listed.has(update.event.envelope.id)
    yield isPast ? { kind: 'past', event: update.event } : update
  }
}
