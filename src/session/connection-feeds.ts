import type { StreamItem } from '../client/event-stream.ts'
import type { Clock } from '../clock.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import type { Session } from '../protocol/session.ts'
import type { MessageQueue } from './message-queue.ts'
import { readHistory, type SessionSource } from './read-history.ts'

/** What a connection is told by the tasks that feed it. */
export type Message =
  | StreamItem
  /** A part of a reading, where the order does not matter. */
  | { kind: 'page'; events: RawEvent[] }
  /** The reading is done: all of its events that were in no page. */
  | { kind: 'history'; events: RawEvent[] }
  /** The session itself, where its age tells what its events do not. */
  | { kind: 'session'; session: Session }
  | { kind: 'failed'; error: unknown }

export interface Feed extends SessionSource {
  /** History is wanted as a whole, since its order is known only then; else page by page, so that it need not be kept. */
  readonly ordered: boolean
  readonly clock: Clock
  readonly queue: MessageQueue<Message>
}

/** Passes one connection's stream on, to its end. */
export async function feedStream(
  { client, sessionId, signal, queue }: Feed,
  lastEventId: string | undefined,
): Promise<void> {
  try {
    for await (const item of client.stream(sessionId, { lastEventId, signal })) await queue.push(item)
  } catch (error) {
    await queue.push({ kind: 'failed', error })
  }
}

/** Passes one reading of the history on, after a pause. */
export async function feedHistory(feed: Feed, { pauseMs }: { pauseMs: number }): Promise<void> {
  try {
    if (pauseMs > 0) await feed.clock.sleep(pauseMs, feed.signal)
    if (!feed.ordered)
      for await (const events of feed.client.listEvents(feed.sessionId, feed))
        await feed.queue.push({ kind: 'page', events })
    await feed.queue.push({ kind: 'history', events: feed.ordered ? await readHistory(feed) : [] })
  } catch (error) {
    await feed.queue.push({ kind: 'failed', error })
  }
}

/** Passes the session on. A service that cannot be asked just now says nothing. */
export async function feedSession({ client, sessionId, signal, queue }: Feed): Promise<void> {
  const answer = await client.getSession(sessionId, { signal }).catch(() => undefined)
  if (answer !== undefined) await queue.push({ kind: 'session', session: answer.session })
}
