import { expect, it } from 'vitest'
import { localTime, stopwatch } from '../../src/output/local-time.ts'

it.each([
  [0, '0:00'],
  [-5_000, '0:00'],
  [278_999, '4:38'],
  [3_878_000, '1:04:38'],
])('%i ms on a stopwatch are %s', (ms, text) => {
  expect(stopwatch(ms)).toBe(text)
})

it('tells the local time of day, or that there is none', () => {
  expect(localTime(new Date(2026, 0, 1, 9, 5, 7).toISOString())).toBe('09:05:07')
  expect(localTime(new Date(2026, 0, 1, 23, 59, 59).getTime())).toBe('23:59:59')
  expect(localTime('soon')).toBe('--:--:--')
  expect(localTime(undefined)).toBe('--:--:--')
})
