import { HermError } from '../errors.ts'
import type { SessionState, Turn } from '../protocol/session-fold.ts'
import type { FollowUpdate } from './follow.ts'
import { type ObserveStatesOptions, observeStates } from './observe.ts'
import { waitLimit } from './wait-limit.ts'

export type WaitOptions = ObserveStatesOptions & {
  readonly timeoutMs: number
  /** Told of every state until the wait is over. */
  readonly onState?: ((state: SessionState) => void) | undefined
}

export type IdleTurn = Extract<Turn, { state: 'idle' }>

/**
 * Waits until the session is idle and gives how its last turn ended. A turn blocked on a call is not idle.
 * Throws `timeout` after `timeoutMs`, and what `follow` throws.
 */
export async function waitForIdle(options: WaitOptions): Promise<IdleTurn> {
  const limit = waitLimit(options)
  try {
    const onUpdate = (update: FollowUpdate) => {
      limit.told(update)
      options.onUpdate?.(update)
    }
    for await (const state of observeStates({ ...options, signal: limit.signal, onUpdate })) {
      limit.seen(state)
      if (state.turn.state === 'idle') return state.turn
      options.onState?.(state)
    }
    throw new HermError('failed', 'the event stream ended')
  } finally {
    limit.dispose()
  }
}
