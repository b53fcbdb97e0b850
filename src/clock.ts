import { linkedSignal } from './linked-signal.ts'

/**
 * Time as the program sees it. The real one is made in context.ts; a test moves its own.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch: for times that are told and compared with the service's. It may jump. */
  now(): number
  /** Milliseconds since some fixed moment: for how long something takes. It never jumps. */
  elapsed(): number
  /**
   * Resolves after `ms` milliseconds, however long (a single timer overflows after 24.8 days; this does not).
   * Rejects with the signal's reason when it is aborted first.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface Deadline {
  readonly signal: AbortSignal
  /** From now on only the parent ends it. */
  lift(): void
  /** To be called when the guarded work is over, so that nothing keeps the process alive, or is kept by the parent. */
  dispose(): void
}

/** A signal that aborts `ms` after now with `reason()`, or when `parent` aborts. */
export function deadline(options: {
  clock: Clock
  ms: number
  reason: () => Error
  parent?: AbortSignal | undefined
}): Deadline {
  const guarded = linkedSignal(options.parent)
  const timer = linkedSignal(guarded.signal)
  const lift = () => timer.abort(new Error('the deadline was lifted'))
  options.clock.sleep(options.ms, timer.signal).then(
    () => guarded.abort(options.reason()),
    () => {
      // Lifted, or the parent was first.
    },
  )
  return {
    signal: guarded.signal,
    lift,
    dispose() {
      guarded.unlink()
      lift()
    },
  }
}
