import { onTestFinished, vi } from 'vitest'
import { type FollowOptions, type FollowUpdate, follow } from '../../src/session/follow.ts'
import { testClient } from '../client/test-http.ts'
import { type TestClock, testClock } from '../helpers/test-clock.ts'

/** Follows a session of a server in the background, and keeps what it gives. */
export function following(
  server: { url: string; sessionId: string },
  options: Partial<FollowOptions> & { clock?: TestClock } = {},
) {
  const clock = options.clock ?? testClock()
  const stop = new AbortController()
  const client = testClient(server.url, { clock })
  const source = follow({
    client,
    sessionId: server.sessionId,
    random: () => 1,
    signal: stop.signal,
    ...options,
    clock,
  })
  const updates: FollowUpdate[] = []
  const ended = (async () => {
    for await (const batch of source) for (const update of batch) updates.push(update)
  })()
  ended.catch(() => undefined)
  onTestFinished(async () => {
    stop.abort(new Error('the test is over'))
    await ended.catch(() => undefined)
  })
  const story = () => updates.map(inWords)
  return {
    clock,
    updates,
    stop,
    place: source.place,
    /** Rejects with what ended the following. */
    ended,
    story,
    /** The sequence numbers of the events given so far. */
    sequences: () =>
      updates.flatMap((one) =>
        one.kind === 'event' || one.kind === 'past' ? (one.event.envelope.sequence ?? []) : [],
      ),
    /** Resolves once something was given that these words describe. */
    gave: (words: string | RegExp) => eventually(() => story().some((one) => one.match(words) !== null), story),
    /** Moves time on in steps until the condition holds. */
    async passUntil(condition: () => boolean, { stepMs = 100, limitMs = 60_000 } = {}): Promise<void> {
      const endsAt = clock.now() + limitMs
      while (!condition()) {
        if (clock.now() >= endsAt) throw new Error(`nothing of the kind in ${limitMs} ms: ${story().join(', ')}`)
        await clock.advance(stepMs)
        await pause(2)
      }
    },
    /** Lets this much time pass, the network keeping up. */
    async pass(ms: number, stepMs = 500): Promise<void> {
      const endsAt = clock.now() + ms
      while (clock.now() < endsAt) {
        await clock.advance(Math.min(stepMs, endsAt - clock.now()))
        await pause(2)
      }
    },
  }
}

/** Real time for the network to do what it is about to do. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export async function eventually(condition: () => boolean, describe: () => unknown = () => ''): Promise<void> {
  await vi.waitFor(
    () => {
      if (!condition()) throw new Error(`not yet: ${JSON.stringify(describe())}`)
    },
    { timeout: 10_000, interval: 3 },
  )
}

export function inWords(update: FollowUpdate): string {
  switch (update.kind) {
    case 'event':
    case 'past':
    case 'known':
    case 'result_updated': {
      const { sequence, type, payload } = update.event.envelope
      const kind = update.kind === 'known' || update.kind === 'result_updated' ? `${update.kind} ` : ''
      return `${kind}${[sequence, type, payload.status].filter((part) => part !== undefined).join(' ')}`
    }
    case 'other':
      return `other ${update.name} ${update.data}`
    case 'disconnected':
      return `disconnected for ${update.pauseMs}`
    case 'reconnected':
      return `reconnected after ${update.reason}, ${update.recovered} recovered`
    case 'begun_anew':
    case 'caught_up':
      return update.kind
  }
}
