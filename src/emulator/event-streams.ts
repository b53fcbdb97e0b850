import type { Clock } from '../clock.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import type { EventLog } from './event-log.ts'
import type { Reply, StreamSink } from './reply.ts'

/** The live event streams of all sessions. */
export interface EventStreams {
  /**
   * A stream of what happens from now on; after `lastEventId`, where that is an event of the session, what followed it
   * comes first. As history has it: a patch that was missed is not told again.
   */
  follow(log: EventLog, lastEventId: string | undefined): Reply
  count(): number
  endAll(): void
}

export function createEventStreams(options: { clock: Clock; heartbeatMs: number }): EventStreams {
  const open = new Set<StreamSink>()

  return {
    follow: (log, lastEventId) => ({
      kind: 'stream',
      open(sink) {
        const closed = new AbortController()
        open.add(sink)
        for (const event of missed(log, lastEventId)) sink.send(frameOf(event))
        const unsubscribe = log.subscribe((event) => sink.send(frameOf(event)))
        void beat(sink, closed.signal)
        return () => {
          closed.abort()
          unsubscribe()
          open.delete(sink)
        }
      },
    }),
    count: () => open.size,
    endAll() {
      for (const sink of open) sink.end()
    },
  }

  /** Assumed: comment lines keep the connection from falling silent. */
  async function beat(sink: StreamSink, closed: AbortSignal): Promise<void> {
    while (!closed.aborted) {
      await options.clock.sleep(options.heartbeatMs, closed).then(
        () => sink.send(': heartbeat\n\n'),
        () => {},
      )
    }
  }
}

/** Assumed: a stream starts at "now" when it is given no id, or one that the session does not have. */
function missed(log: EventLog, lastEventId: string | undefined): readonly RawEvent[] {
  const seen = lastEventId === undefined ? undefined : log.countThrough(lastEventId)
  return seen === undefined ? [] : log.events().slice(seen)
}

function frameOf({ envelope, raw }: RawEvent): string {
  const id = envelope.id === undefined ? '' : `id: ${envelope.id}\n`
  return `event: ${envelope.type}\n${id}data: ${raw}\n\n`
}
