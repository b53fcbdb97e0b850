import type { Clock } from '../clock.ts'
import type { Exchange } from './fault-points.ts'
import type { Reply, StreamSink } from './reply.ts'

/** Each of these lets a stream be opened, and comes between it and the connection. */

/** Ends after `ms`. */
export const closed = bent(({ sink, clock, gone }, ms: number) => {
  clock.sleep(ms, gone).then(sink.end, () => {})
  return {}
})

/** The connection breaks after `ms`. */
export const reset = bent(({ sink, clock, gone }, ms: number) => {
  clock.sleep(ms, gone).then(sink.reset, () => {})
  return {}
})

/** Nothing comes any more after `ms`, and the connection stays open. */
export const muted = bent(({ sink, clock }, ms: number) => {
  const from = clock.elapsed() + ms
  return {
    send(text) {
      if (clock.elapsed() < from) sink.send(text)
    },
  }
})

/** Every byte is written by itself: a chunk of its own in the body. */
export const split = bent(({ sink }) => ({
  send(text) {
    for (const byte of bytesOf(text)) sink.send(byte)
  },
}))

/** A byte every `ms`. */
export const trickled = bent(({ sink, clock, gone }, ms: number) => {
  let flow = Promise.resolve()
  return {
    send(text) {
      flow = flow.then(() => drip(text)).catch(() => {})
    },
  }

  async function drip(text: string | Uint8Array): Promise<void> {
    for (const byte of bytesOf(text)) {
      await clock.sleep(ms, gone)
      sink.send(byte)
    }
  }
})

/** What a reader must pass over comes first, and before every text. */
export const littered = bent(({ sink }) => {
  sink.send(JUNK)
  return {
    send(text) {
      sink.send(JUNK)
      sink.send(text)
    },
  }
})

/** One line without an end takes the place of all events. */
export const drowned = bent(({ sink, clock, gone }) => {
  pour().catch(() => {})
  return { send: () => {} }

  async function pour(): Promise<void> {
    sink.send('data: ')
    for (;;) {
      sink.send(ENDLESS_PART)
      await clock.sleep(1, gone)
    }
  }
})

interface Line {
  readonly sink: StreamSink
  readonly clock: Clock
  /** Aborts when the connection is closed. */
  readonly gone: AbortSignal
}

function bent<V>(bend: (line: Line, value: V) => Partial<StreamSink>) {
  return async ({ request, next, clock }: Exchange, value: V): Promise<Reply> => {
    const reply = await next(request)
    if (reply.kind !== 'stream') return reply
    return {
      ...reply,
      open(sink) {
        const gone = new AbortController()
        const onClose = reply.open({ ...sink, ...bend({ sink, clock, gone: gone.signal }, value) })
        return () => {
          gone.abort()
          onClose()
        }
      },
    }
  }
}

function* bytesOf(text: string | Uint8Array): Generator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
}

/** A comment, an unknown name, data that is no JSON or only half of it, no data, and fields that mean nothing. */
const JUNK = [
  ': nothing to see here',
  'event: x-unheard-of\ndata: {"answer":42}',
  'data: this is no JSON',
  'event: agent.message\ndata: {"type":"agent.message","payl',
  'event: agent.message\ndata',
  'data: null',
  'retry: soon\ncolour: red',
]
  .map((frame) => `${frame}\n\n`)
  .join('')

/** 64 KiB every millisecond: a limit of some MiB is met in no time. */
const ENDLESS_PART = 'x'.repeat(64 * 1024)
