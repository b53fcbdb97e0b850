import { expect, it } from 'vitest'
import { createMessageQueue } from '../../src/session/message-queue.ts'

/** Whether it has resolved by now. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  const later = new Promise((resolve) => setImmediate(resolve, 'later'))
  return (await Promise.race([work.then(() => 'done'), later])) === 'done'
}

it('gives what was pushed in its order, also to a reader that was waiting', async () => {
  const queue = createMessageQueue<number>(10)
  const reader = queue[Symbol.asyncIterator]()
  const first = reader.next()
  await queue.push(1)
  await queue.push(2)
  expect([await first, await reader.next()]).toEqual([
    { done: false, value: 1 },
    { done: false, value: 2 },
  ])
})

it('lets a writer wait while it is full', async () => {
  const queue = createMessageQueue<number>(2)
  const reader = queue[Symbol.asyncIterator]()
  expect(await isDone(queue.push(1))).toBe(true)
  const full = queue.push(2)
  expect(await isDone(full)).toBe(false)
  await reader.next()
  expect(await isDone(full)).toBe(true)
})

it('ends a waiting reader and a waiting writer when it is closed, and takes nothing more', async () => {
  const waiting = createMessageQueue<number>(1)
  const next = waiting[Symbol.asyncIterator]().next()
  waiting.close()
  expect(await next).toEqual({ done: true, value: undefined })

  const full = createMessageQueue<number>(1)
  const push = full.push(1)
  full.close()
  await push
  await full.push(2)
  expect(await full[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined })
})
