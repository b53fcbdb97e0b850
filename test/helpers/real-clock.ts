import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../src/clock.ts'

/** Real time, for tests with real processes. */
export const realClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    setTimeout(ms, undefined, signal ? { signal } : {}).catch((error) => {
      throw signal?.reason ?? error
    }),
}
