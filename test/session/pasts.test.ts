import { expect, it } from 'vitest'
import type { FollowUpdate } from '../../src/session/follow.ts'
import { createPasts, type WatchedUpdates } from '../../src/session/pasts.ts'
import { event, timeAt } from '../protocol/session-log.ts'

const CAUGHT_UP: FollowUpdate = { kind: 'caught_up' }

/** An event of each of these seconds; `undefined` stands for one without a time. */
const at = (...seconds: (number | undefined)[]): FollowUpdate[] =>
  seconds.map((second, index) => ({
    kind: 'event',
    event: event(index + 1, 'x', {}, { createdAt: second === undefined ? undefined : timeAt(second) }),
  }))

/** What sessions push, and in which order it comes out: `a5` is an event of the fifth second of session `a`. */
function story(...awaited: string[]) {
  const pasts = createPasts()
  for (const sessionId of awaited) pasts.await(sessionId)
  const told: string[] = []
  const handled: string[] = []
  const read = (given: Iterable<WatchedUpdates>) => {
    for (const { sessionId, updates } of given) {
      for (const update of updates) {
        const time = 'event' in update ? update.event.envelope.createdAt : update.kind
        const second = (Date.parse(time ?? '') - Date.parse(timeAt(0))) / 1000
        told.push(sessionId + (Number.isNaN(second) ? ` ${time}` : second))
      }
    }
  }
  return {
    told,
    handled,
    push: (sessionId: string, updates: Iterable<FollowUpdate>) =>
      read(pasts.take({ sessionId, updates, handled: () => handled.push(sessionId) })),
    leave: (sessionId: string) => read(pasts.leave(sessionId)),
    end: () => read(pasts.end()),
  }
}

it('gives pasts by time, and each in its own order', () => {
  const { push, told, handled } = story('a', 'b', 'c')
  push('a', [...at(1, 5, undefined, 4, 9), CAUGHT_UP])
  push('b', [])
  push('c', [CAUGHT_UP])
  expect({ told, handled }).toEqual({ told: [], handled: ['b'] })
  push('b', [...at(2, 3, 6), CAUGHT_UP])
  expect(told.filter((one) => !one.endsWith('caught_up'))).toEqual([
    'a1',
    'b2',
    'b3',
    'a5',
    'a undefined',
    'a4',
    'b6',
    'a9',
  ])
  expect(handled.toSorted()).toEqual(['a', 'b', 'b', 'c'])
})

it('lets updates pass as they come once all are caught up', () => {
  const { push, told, handled } = story('a', 'b')
  push('a', [...at(1), CAUGHT_UP, ...at(9)])
  expect(told).toEqual([])
  push('b', [...at(3), CAUGHT_UP])
  expect(told).toEqual(['a1', 'a caught_up', 'b3', 'b caught_up', 'a9'])
  push('b', at(8))
  push('a', at(7))
  expect(told.slice(5)).toEqual(['b8', 'a7'])
  expect(handled).toHaveLength(4)
})

it('does not wait for a session that is gone, nor beyond the end', () => {
  const { push, leave, end, told } = story('a', 'b', 'c')
  push('a', [...at(2), CAUGHT_UP])
  push('b', at(1))
  leave('c')
  expect(told).toEqual(['b1'])
  end()
  expect(told).toEqual(['b1', 'a2', 'a caught_up'])
  push('b', [...at(1.5), CAUGHT_UP])
  expect(told.slice(3)).toEqual(['b1.5', 'b caught_up'])
})

it('works out no update before it is read', () => {
  const { push, told } = story('a', 'b')
  const readWhen: string[][] = []
  function* lazy(): Generator<FollowUpdate> {
    for (const update of [...at(2, 4), CAUGHT_UP]) {
      readWhen.push([...told])
      yield update
    }
  }
  push('a', lazy())
  push('b', [...at(3), CAUGHT_UP])
  expect(readWhen).toEqual([[], ['a2'], ['a2', 'b3', 'b caught_up', 'a4']])
})
