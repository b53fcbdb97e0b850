import type { HermClient } from '../client/herm-client.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import { createSessionFold, type SessionState } from '../protocol/session-fold.ts'
import { createTimeline } from '../protocol/timeline.ts'

export interface SessionSource {
  readonly client: HermClient
  readonly sessionId: string
  readonly signal?: AbortSignal | undefined
}

/** The whole history, in the service's order. Throws as the client's reads do. */
export async function readHistory({ client, sessionId, signal }: SessionSource): Promise<RawEvent[]> {
  const events: RawEvent[] = []
  for await (const page of client.listEvents(sessionId, { signal })) events.push(...page)
  return events
}

/** The events of a history each once, by sequence; of an event that was listed in two versions, the later one. */
export function inOrder(history: readonly RawEvent[]): RawEvent[] {
  const timeline = createTimeline()
  timeline.add(history, 'history')
  return Array.from(timeline.take(), ({ event }) => event)
}

/** The session's state as its history tells it now. Throws as the client's reads do. */
export async function readSessionState({ client, sessionId, signal }: SessionSource): Promise<SessionState> {
  const fold = createSessionFold()
  for await (const page of client.listEvents(sessionId, { signal })) {
    for (const { envelope } of page) fold.add(envelope)
  }
  return fold.state()
}
