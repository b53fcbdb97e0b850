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

/**
 * A signal that aborts `ms` after now with `reason()`, or when `parent` aborts.
 * Call `dispose` when the guarded work is over, so that nothing keeps the process alive.
 */
export function deadline(options: {
  clock: Clock
  ms: number
  reason: () => Error
  parent?: AbortSignal | undefined
}): { signal: AbortSignal; dispose: () => void } {
  const timer = new AbortController()
  const guarded = new AbortController()
  const stop = options.parent === undefined ? timer.signal : AbortSignal.any([timer.signal, options.parent])
  options.clock.sleep(options.ms, stop).then(
    () => guarded.abort(options.reason()),
    () => {
      if (options.parent?.aborted) guarded.abort(options.parent.reason)
    },
  )
  return { signal: guarded.signal, dispose: () => timer.abort() }
}
