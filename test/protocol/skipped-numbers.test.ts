import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSkippedNumbers } from '../../src/protocol/skipped-numbers.ts'

it('gives each number of each range back once', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 40 })),
      fc.array(fc.integer({ min: -5, max: 45 })),
      (in_, asked) => {
        const skipped = createSkippedNumbers()
        for (const number of in_) skipped.add(number, number)
        const left = new Set(in_)
        for (const number of asked) expect(skipped.remove(number)).toBe(left.delete(number))
      },
    ),
  )
})

it('cuts a range in two', () => {
  const skipped = createSkippedNumbers()
  skipped.add(Number.NEGATIVE_INFINITY, 5)
  expect([3, 3, 2, 4, 5, 6, -7].map((number) => skipped.remove(number))).toEqual([
    true,
    false,
    true,
    true,
    true,
    false,
    true,
  ])
})

it('takes no empty range', () => {
  const skipped = createSkippedNumbers()
  skipped.add(3, 2)
  expect(skipped.remove(3) || skipped.remove(2)).toBe(false)
})

it('forgets the oldest of more than a thousand ranges', () => {
  const skipped = createSkippedNumbers()
  for (let n = 0; n <= 1_000; n++) skipped.add(n * 2, n * 2)
  expect([skipped.remove(0), skipped.remove(2), skipped.remove(2_000)]).toEqual([false, true, true])
})
