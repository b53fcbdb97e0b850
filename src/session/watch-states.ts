import { HermError } from '../errors.ts'
import { linkedSignal } from '../linked-signal.ts'
import type { SessionState } from '../protocol/session-fold.ts'
import type { FollowUpdate } from './follow.ts'
import { type ObserveStatesOptions, observeStates } from './observe.ts'
import { readSessionState } from './read-history.ts'

export interface StateWatch {
  /** The next state that is not older than one given before of the same history. */
  next(): Promise<SessionState>
  /** The state as history has it now; the stream may take a moment to come to the same. */
  refresh(): Promise<SessionState>
  /** How many turns have ended since the first state. */
  turnsEnded(): number
  /** Also while a state is awaited, which then rejects. */
  close(): Promise<void>
}

/** A session's states, one when asked for. Throws as `follow` does. */
export function watchStates(options: ObserveStatesOptions): StateWatch {
  const left = linkedSignal(options.signal)
  const states = observeStates({ ...options, signal: left.signal, onUpdate })
  let last: SessionState | undefined
  let turnsEnded = 0

  return {
    async next() {
      for (;;) {
        const { value, done } = await states.next()
        if (done || value === undefined) throw new HermError('failed', 'the event stream ended')
        if ((value.lastSequence ?? 0) >= (last?.lastSequence ?? 0)) return seen(value)
      }
    },
    refresh: async () => seen(await readSessionState(options)),
    turnsEnded: () => turnsEnded,
    async close() {
      left.abort(new Error('the states are no longer watched'))
      await states.return().catch(() => undefined)
    },
  }

  function onUpdate(update: FollowUpdate): void {
    if (update.kind === 'begun_anew') last = undefined
    options.onUpdate?.(update)
  }

  function seen(state: SessionState): SessionState {
    if (isAtWork(last) && state.turn.state === 'idle') turnsEnded++
    last = state
    return state
  }
}

/** Where no event says anything of a turn, none has to end. */
function isAtWork(state: SessionState | undefined): boolean {
  return state?.turn.state === 'running' || state?.turn.state === 'blocked'
}
