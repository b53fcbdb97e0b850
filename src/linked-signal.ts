import { setMaxListeners } from 'node:events'

export interface LinkedSignal {
  /** Aborts when the parent does, with its reason, or by `abort`. */
  readonly signal: AbortSignal
  abort(reason: Error): void
  /** From now on the parent's abort does not count. To be called, unless aborted, when the guarded work is over. */
  unlink(): void
}

/**
 * A signal for a part of what `parent` guards. Unlike AbortSignal.any it leaves nothing behind: there Node 20 keeps a
 * trace of each signal in a parent that lives on, and a session may be followed for weeks.
 */
export function linkedSignal(parent: AbortSignal | undefined): LinkedSignal {
  const own = new AbortController()
  // Each session that is watched listens, and there may be a thousand.
  setMaxListeners(0, own.signal)
  const follow = () => own.abort(parent?.reason)
  const unlink = () => parent?.removeEventListener('abort', follow)
  if (parent?.aborted) follow()
  else parent?.addEventListener('abort', follow, { once: true })
  return {
    signal: own.signal,
    abort(reason) {
      unlink()
      own.abort(reason)
    },
    unlink,
  }
}
