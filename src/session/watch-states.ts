import { HermError } from '../errors.ts'
import { linkedSignal } from '../linked-signal.ts'
import type { SessionState } from '../protocol/session-fold.ts'
import type { FollowUpdate } from './follow.ts'
import { type ObserveStatesOptions, observeStates } from './observe.ts'
import { readSessionState } from './read-history.ts'

export interface StateWatch {
  /** The next state that is not older than one given before of the same history. */
  next(): Promise<SessionState>
  /** The state as history has it now, or the last one where history lags behind that. */
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
        if (!isOlder(value)) return seen(value)
      }
    },
    async refresh() {
      const state = await readSessionState(options)
      return last !== undefined && isOlder(state) && hasFirstCall(state, last) ? last : seen(state)
    },
    turnsEnded: () => turnsEnded,
    async close() {
      left.abort(new Error('the states are no longer watched'))
      await states.return().catch(() => undefined)
    },
  }

  function isOlder(state: SessionState): boolean {
    return (state.lastSequence ?? 0) < (last?.lastSequence ?? 0)
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

/** A history that lags lacks the newest events; one that lacks the oldest call is another one. */
function hasFirstCall(state: SessionState, last: SessionState): boolean {
  const [first] = last.calls.keys()
  return first === undefined || state.calls.has(first)
}

/** Where no event says anything of a turn, none has to end. */
function isAtWork(state: SessionState | undefined): boolean {
  return state?.turn.state === 'running' || state?.turn.state === 'blocked'
}
