import type { StreamItem } from '../client/event-stream.ts'
import type { Clock } from '../clock.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import type { MessageQueue } from './message-queue.ts'
import { readHistory, type SessionSource } from './read-history.ts'

/** What a connection is told by the tasks that feed it. */
export type Message = StreamItem | { kind: 'history'; events: RawEvent[] } | { kind: 'failed'; error: unknown }

export interface Feed extends SessionSource {
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
    await feed.queue.push({ kind: 'history', events: await readHistory(feed) })
  } catch (error) {
    await feed.queue.push({ kind: 'failed', error })
  }
}
