import pLimit from 'p-limit'
import type { HermClient } from '../client/herm-client.ts'

/**
 * The same client for many sessions at once: at most `atOnce` of its histories are read, and at most as many of its streams
 * are opened, at the same time. An open stream counts no more.
 */
export function limitedClient(client: HermClient, atOnce: number): HermClient {
  const readPlace = placesOf(atOnce)
  const openPlace = placesOf(atOnce)
  return {
    ...client,
    async *listEvents(sessionId, options) {
      const leave = await readPlace()
      try {
        yield* client.listEvents(sessionId, options)
      } finally {
        leave()
      }
    },
    stream(sessionId, options) {
      const stream = client.stream(sessionId, options)
      let isAskedFor = false
      return {
        async next() {
          if (isAskedFor) return stream.next()
          isAskedFor = true
          const leave = await openPlace()
          try {
            return await stream.next()
          } finally {
            leave()
          }
        },
        return: () => stream.return(),
        [Symbol.asyncIterator]() {
          return this
        },
      }
    },
  }
}

/** Gives, once there is one, a place and the way to leave it. */
function placesOf(count: number): () => Promise<() => void> {
  const limit = pLimit(count)
  return () => new Promise((enter) => void limit(() => new Promise<void>((leave) => enter(leave))))
}
