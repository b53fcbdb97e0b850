import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'

/**
 * Destroys `body` with `reason` when a read of it has waited for `limitMs`. Only the wait for a read counts: a reader that
 * is busy elsewhere has not found the stream quiet.
 */
export function watchQuiet(options: { body: Readable; clock: Clock; limitMs: number; reason: Error }): {
  /** Call before each read and after it. */
  waiting(): void
  received(): void
  stop(): void
} {
  const { body, clock, limitMs, reason } = options
  const stopped = new AbortController()
  let waitingSince: number | undefined

  async function watch(): Promise<void> {
    for (;;) {
      const waited = waitingSince === undefined ? 0 : clock.elapsed() - waitingSince
      if (waited >= limitMs) break
      await clock.sleep(limitMs - waited, stopped.signal)
    }
    body.destroy(reason)
  }

  watch().catch(() => {
    // Stopped.
  })
  return {
    waiting: () => {
      waitingSince = clock.elapsed()
    },
    received: () => {
      waitingSince = undefined
    },
    stop: () => stopped.abort(),
  }
}
