import { describe, expect, test } from 'vitest'
import { pauseMs, retryAfterMs } from '../../src/client/backoff.ts'

describe('pauseMs', () => {
  test('doubles up to the cap', () => {
    const pauses = [1, 2, 3, 4, 7, 40].map((attempt) => pauseMs({ attempt, random: () => 1 }))
    expect(pauses).toEqual([500, 1000, 2000, 4000, 30_000, 30_000])
  })

  test('is random in its upper half only', () => {
    expect(pauseMs({ attempt: 3, random: () => 0 })).toBe(1000)
    expect(pauseMs({ attempt: 3, random: () => 0.5 })).toBe(1500)
  })

  test('is never shorter than what the service asked for', () => {
    expect(pauseMs({ attempt: 1, random: () => 0, floorMs: 7000 })).toBe(7250)
  })
})

describe('retryAfterMs', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')

  test.each([
    ['seconds', { 'retry-after': '7' }, 7000],
    [
      'a date from the answer’s own clock',
      { 'retry-after': 'Thu, 01 Jan 2026 01:00:20 GMT', date: 'Thu, 01 Jan 2026 01:00:00 GMT' },
      20_000,
    ],
    ['a date without a Date beside it', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    ['a date that has passed', { 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    ['a day, cut to what is sensible', { 'retry-after': '86400' }, 900_000],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
    ['a negative number', { 'retry-after': '-5' }, undefined],
    ['nothing', {}, undefined],
  ])('%s', (_name, headers, expected) => {
    expect(retryAfterMs(headers, now)).toBe(expected)
  })
})
