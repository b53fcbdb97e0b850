/**
 * A bounded queue between tasks that run side by side and one reader.
 * A full queue makes `push` wait, so that a slow reader slows the network down and does not fill the memory.
 */
export interface MessageQueue<T> extends AsyncIterable<T> {
  /** Resolves once there is room again; at once after `close`, which drops the message. */
  push(message: T): Promise<void>
  /** Ends the iteration, whatever is still in the queue. */
  close(): void
}

export function createMessageQueue<T>(capacity: number): MessageQueue<T> {
  let messages: T[] = []
  let closed = false
  let wakeReader = () => {}
  let wakeWriters: (() => void)[] = []

  return {
    async push(message) {
      if (closed) return
      messages.push(message)
      wakeReader()
      if (messages.length >= capacity) await new Promise<void>((resolve) => wakeWriters.push(resolve))
    },
    close() {
      closed = true
      messages = []
      wakeReader()
      letWritersGoOn()
    },
    async *[Symbol.asyncIterator]() {
      while (!closed) {
        const batch = messages
        messages = []
        letWritersGoOn()
        yield* batch
        if (messages.length === 0 && !closed) {
          await new Promise<void>((resolve) => {
            wakeReader = resolve
          })
        }
      }
    },
  }

  function letWritersGoOn(): void {
    const waiting = wakeWriters
    wakeWriters = []
    for (const wake of waiting) wake()
  }
}
