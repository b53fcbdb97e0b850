import type { FollowUpdate } from './follow.ts'

export interface WatchedUpdates {
  readonly sessionId: string
  /** To be read to its end before the next ones are asked for. */
  readonly updates: Iterable<FollowUpdate>
}

/** Updates of a session, and whom to tell that they were read. */
export interface PushedUpdates extends WatchedUpdates {
  readonly handled: () => void
}

/** What is given is to be read to its end before the next is asked for. */
export interface Pasts {
  /** The past of this session is still to come, and the others wait for it. */
  await(sessionId: string): void
  /** Takes what a session pushes, once all it pushed before is handled; gives what has its turn, of whatever session. */
  take(pushed: PushedUpdates): Generator<WatchedUpdates, void>
  /** Nothing more comes of this session. */
  leave(sessionId: string): Generator<WatchedUpdates, void>
  /** No session is waited for any more. */
  end(): Generator<WatchedUpdates, void>
}

/**
 * Puts the pasts of several sessions into one, by time, the order within each as it is. Once all of them have been given,
 * updates pass as they come.
 */
export function createPasts(): Pasts {
  const awaited = new Set<string>()
  const heads = new Map<string, Head>()

  return {
    await: (sessionId) => void awaited.add(sessionId),
    *take(pushed) {
      if (awaited.size === 0 && heads.size === 0) {
        yield pushed
        pushed.handled()
        return
      }
      moveOn({ ...pushed, rest: pushed.updates[Symbol.iterator](), update: undefined, at: Number.NEGATIVE_INFINITY })
      yield* release()
    },
    *leave(sessionId) {
      awaited.delete(sessionId)
      yield* release()
    },
    *end() {
      awaited.clear()
      yield* release()
    },
  }

  function* release(): Generator<WatchedUpdates, void> {
    while ([...awaited].every((sessionId) => heads.has(sessionId))) {
      const [first, second] = earliestTwo()
      if (first === undefined) return
      yield { sessionId: first.sessionId, updates: readUntil(first, second?.at ?? Number.POSITIVE_INFINITY) }
    }
  }

  /** A whole run at once: to write out each event by itself takes longer. */
  function* readUntil(head: Head, at: number): Generator<FollowUpdate, void> {
    while (head.update !== undefined && head.at <= at) {
      yield head.update
      if (head.update.kind === 'caught_up') awaited.delete(head.sessionId)
      moveOn(head)
    }
  }

  function moveOn(head: Head): void {
    const { value, done } = head.rest.next()
    head.update = done ? undefined : value
    if (head.update === undefined) {
      heads.delete(head.sessionId)
      head.handled()
      return
    }
    heads.set(head.sessionId, head)
    const at = 'event' in head.update ? Date.parse(head.update.event.envelope.createdAt ?? '') : Number.NaN
    // What has no time belongs to what stands before it.
    if (!Number.isNaN(at)) head.at = at
  }

  function earliestTwo(): Head[] {
    const earliest: Head[] = []
    for (const head of heads.values()) {
      const place = earliest.findIndex((other) => head.at < other.at)
      earliest.splice(place === -1 ? earliest.length : place, 0, head)
      earliest.length = Math.min(earliest.length, 2)
    }
    return earliest
  }
}

/** Where in what it pushed a session is. */
interface Head extends PushedUpdates {
  readonly rest: Iterator<FollowUpdate>
  update: FollowUpdate | undefined
  /** Milliseconds since the epoch. */
  at: number
}
