import type { Clock } from '../clock.ts'
import { pauseMs } from './backoff.ts'
import { RequestError } from './request-error.ts'

/**
 * Runs `work` again while it fails with a passing RequestError, with growing pauses and never before the service's
 * Retry-After. Gives the last error up when the attempts are used, or when the next pause would end past the budget.
 * Only for requests that change nothing: protocol: finals are not idempotent.
 */
export async function withRetries<T>(options: {
  work: () => Promise<T>
  clock: Clock
  random: () => number
  signal?: AbortSignal | undefined
  /** Told before each pause. */
  onPause?: (error: RequestError, ms: number) => void
}): Promise<T> {
  const { work, clock, random, signal } = options
  const giveUpAt = clock.elapsed() + RETRY_BUDGET_MS
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RequestError) || !error.passing || attempt === MAX_ATTEMPTS) throw error
      const ms = pauseMs({ attempt, random, floorMs: error.retryAfterMs })
      if (clock.elapsed() + ms > giveUpAt) throw error
      options.onPause?.(error, ms)
      await clock.sleep(ms, signal)
    }
  }
}

/** With growing pauses about eight seconds: longer than a restart of a gateway, shorter than a person's patience. */
const MAX_ATTEMPTS = 5

/** One command's share of waiting, when the attempts themselves are slow or the service asks for long pauses. */
const RETRY_BUDGET_MS = 60_000
