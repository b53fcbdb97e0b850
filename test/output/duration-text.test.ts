import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDuration } from '../../src/duration.ts'
import { durationText } from '../../src/output/duration-text.ts'

it.each([
  [0, '0s'],
  [1, '1ms'],
  [1500, '1s500ms'],
  [600_000, '10m'],
  [5_400_000, '1h30m'],
  [172_800_000, '2d'],
])('writes %i ms as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

it('writes what parseDuration reads as the same time', () => {
  fc.assert(fc.property(fc.nat({ max: 365 * 86_400_000 }), (ms) => parseDuration(durationText(ms)) === ms))
})
