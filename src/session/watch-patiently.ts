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
  let { after } = options
  const onPlace = (place: Place) => {
    after = place
    options.onPlace?.(place)
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return yield* watch({ ...options, after, onPlace })
    } catch (error) {
      if (!(error instanceof RequestError) || !error.passing || !mayGoOn(error)) throw error
      await clock.sleep(pauseMs({ attempt, random, floorMs: error.retryAfterMs }), signal)
    }
  }
}
