import { RequestError } from '../client/request-error.ts'
import type { Clock } from '../clock.ts'
import { HermError } from '../errors.ts'
import { interruptedWhile } from './interruption.ts'

/**
 * Looks into history again and again over a window, since an accepted event may be listed late. Undefined when it was not
 * there through the whole window, its end included.
 * Throws `unknown` when history cannot be read, for good or at the end of the window; on an abort its kind. Both say what
 * is `left`.
 */
export async function lookFor<T>(
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  options: {
    /** One reading of history. */
    look: () => Promise<T | undefined>
    windowMs: number
    left: { open: string; hint: string }
  },
): Promise<T | undefined> {
  const { look, windowMs, left } = options
  const endsAt = clock.elapsed() + windowMs
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
      const isLast = clock.elapsed() >= endsAt
      try {
        const found = await look()
        if (found !== undefined || isLast) return found
      } catch (error) {
        const mayPass = error instanceof RequestError && error.passing
        if (isLast || !mayPass) throw cannotTell(left, error)
      }
      await clock.sleep(Math.min(pause, Math.max(endsAt - clock.elapsed(), 0)), signal)
    }
  } catch (error) {
    throw signal.aborted ? interruptedWhile(signal.reason, left) : error
  }
}

function cannotTell({ open, hint }: { open: string; hint: string }, cause: unknown): HermError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new HermError('unknown', `${open}, and its history could not be read: ${why}`, { hint, cause })
}

const FIRST_PAUSE_MS = 250
/** However long the window is, what landed is noticed within this time. */
const LAST_PAUSE_MS = 5_000
