import type { HermClient } from '../client/herm-client.ts'
import { RequestError } from '../client/request-error.ts'
import type { Clock } from '../clock.ts'
import { linkedSignal } from '../linked-signal.ts'
import { createSessionFold, type SessionFold, type SessionState, type Turn } from '../protocol/session-fold.ts'
import { type FollowUpdate, follow } from './follow.ts'

export interface ObserveOptions {
  readonly client: HermClient
  readonly sessionId: string
  readonly clock: Clock
  readonly random: () => number
  readonly signal?: AbortSignal | undefined
}

export interface Observation {
  /** Undefined when nothing happened, and the service said that the session is idle. */
  readonly update: FollowUpdate | undefined
  /** False while history is still being given: the state is then one of the past. */
  readonly isCurrent: boolean
  /** The state with this update in it. */
  state(): SessionState
}

/**
 * Follows a session and folds its events on the way. Where the events leave open whether a turn runs (none says so, or it
 * is only inferred), `askWhenInDoubt` asks the service, at growing intervals; its word stands until something happens.
 * In batches, as `follow` gives them; ends and throws as it does.
 */
export async function* observe(
  updates: AsyncIterable<Iterable<FollowUpdate>>,
  options: ObserveOptions & { askWhenInDoubt: boolean; fold?: SessionFold | undefined },
): AsyncGenerator<Iterable<Observation>, void> {
  const { fold = createSessionFold() } = options
  const iterator = updates[Symbol.asyncIterator]()
  let isCurrent = false
  let askPauseMs = FIRST_ASK_MS
  // Asked for when it is needed, and no sooner: the place of what is followed moves with each update that it gives.
  let next: Promise<IteratorResult<Iterable<FollowUpdate>>> | undefined
  try {
    for (;;) {
      const mayAsk = options.askWhenInDoubt && isCurrent && isDoubtful(fold.state())
      next ??= iterator.next()
      const result = mayAsk ? await nextWithin(next, askPauseMs) : await next
      if (result === 'nothing') {
        askPauseMs = Math.min(askPauseMs * 2, LAST_ASK_MS)
        const state = { ...fold.state(), turn: IDLE }
        if (await isIdleByItsWord(options)) yield [{ update: undefined, isCurrent, state: () => state }]
        continue
      }
      next = undefined
      if (result.done === true) return
      yield observed(result.value)
    }
  } finally {
    // A read that is under way fails when the iteration is left; nobody is there to hear it.
    next?.catch(() => undefined)
    await iterator.return?.()
  }

  function* observed(batch: Iterable<FollowUpdate>): Generator<Observation, void> {
    for (const update of batch) {
      if (update.kind === 'caught_up') isCurrent = true
      if ('event' in update) {
        fold.add(update.event.envelope)
        askPauseMs = FIRST_ASK_MS
      }
      yield { update, isCurrent, state: fold.state }
    }
  }

  async function nextWithin<T>(next: Promise<T>, ms: number): Promise<T | 'nothing'> {
    const awake = linkedSignal(options.signal)
    const tired = options.clock.sleep(ms, awake.signal).then(() => 'nothing' as const)
    tired.catch(() => undefined)
    try {
      return await Promise.race([next, tired])
    } finally {
      awake.abort(new Error('something came'))
    }
  }
}

export type ObserveStatesOptions = ObserveOptions & { onUpdate?: ((update: FollowUpdate) => void) | undefined }

/**
 * The session's states: as history has it, then again after every event. `onUpdate` is told of everything else, too. Those of
 * a history that begins anew are of it alone. Ends only by throwing, as `follow` does.
 */
export async function* observeStates(options: ObserveStatesOptions): AsyncGenerator<SessionState, void> {
  for (;;) yield* statesOfOneHistory(options)
}

async function* statesOfOneHistory(options: ObserveStatesOptions): AsyncGenerator<SessionState, void> {
  const updates = follow({ ...options, ordered: false })
  for await (const batch of observe(updates, { ...options, askWhenInDoubt: true })) {
    for (const { update, isCurrent, state } of batch) {
      if (update !== undefined) options.onUpdate?.(update)
      if (update?.kind === 'begun_anew') return
      const isNews = update === undefined || 'event' in update || update.kind === 'caught_up'
      if (isCurrent && isNews) yield state()
    }
  }
}

function isDoubtful({ turn }: SessionState): boolean {
  return turn.state === 'unknown' || (turn.state === 'running' && !turn.stated)
}

/** protocol: `idle` is the one session status that is known. A service that cannot be asked just now says nothing. */
async function isIdleByItsWord({ client, sessionId, signal }: ObserveOptions): Promise<boolean> {
  try {
    const { session } = await client.getSession(sessionId, { signal })
    return session.status === 'idle'
  } catch (error) {
    if (error instanceof RequestError && error.passing) return false
    throw error
  }
}

const IDLE: Turn = { state: 'idle', stopReason: { type: 'end_turn' } }
/** Time for the event that would say it to arrive. */
const FIRST_ASK_MS = 500
const LAST_ASK_MS = 30_000
