import { pauseMs } from '../client/backoff.ts'
import { RequestError } from '../client/request-error.ts'
import type { Place } from '../protocol/timeline.ts'
import type { FollowUpdate } from './follow.ts'
import { type WatchOptions, watch } from './watch.ts'

export interface PatientOptions extends WatchOptions {
  readonly signal: AbortSignal
  /** Asked, and told, when `watch` has given up for a reason that may pass: whether to begin again after a pause. */
  readonly mayGoOn: (error: RequestError) => boolean
}

/**
 * Watches as `watch` does; where it gives up, and the service may give the session again later, it goes on from its place
 * after a pause, which is never shorter than the service's Retry-After. Throws as `watch` does.
 */
export async function* watchPatiently(options: PatientOptions): AsyncGenerator<Iterable<FollowUpdate>, void> {
  const { clock, random, signal, mayGoOn } = options
  let { after, selection } = options
  let attempt = 0
  const onPlace = (place: Place) => {
    after = place
    attempt = 0
    options.onPlace?.(place)
  }
  for (;;) {
    try {
      for await (const updates of watch({ ...options, after, selection, onPlace })) yield noted(updates)
      return
    } catch (error) {
      if (!(error instanceof RequestError) || !error.passing || !mayGoOn(error)) throw error
      await clock.sleep(pauseMs({ attempt: ++attempt, random, floorMs: error.retryAfterMs }), signal)
    }
  }

  /** A session that was empty has no place: from now on, all that is in it is news. */
  function* noted(updates: Iterable<FollowUpdate>): Generator<FollowUpdate, void> {
    for (const update of updates) {
      yield update
      if (update.kind === 'caught_up') selection = { from: 'start' }
    }
  }
}
