import { expect, it } from 'vitest'
import { timeAgo } from '../../src/output/time-ago.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')

it.each([
  ['2026-03-10T12:00:00Z', 'just now'],
  ['2026-03-10T11:59:01Z', 'just now'],
  ['2026-03-10T12:00:59Z', 'just now'],
  ['2026-03-10T11:59:00Z', '1 min ago'],
  ['2026-03-10T11:00:01Z', '59 min ago'],
  ['2026-03-10T11:00:00Z', '1 h ago'],
  ['2026-03-09T12:00:01Z', '23 h ago'],
  ['2026-03-09T12:00:00Z', '1 day ago'],
  ['2025-03-10T12:00:00Z', '365 days ago'],
  ['2026-03-10T14:30:00Z', 'in 2 h'],
])('%s is %s', (iso, text) => {
  expect(timeAgo(iso, NOW)).toBe(text)
})

it.each([undefined, null, '', 'yesterday'])('%s is no time', (iso) => {
  expect(timeAgo(iso, NOW)).toBeUndefined()
})
