import { expect, it } from 'vitest'
import { harmlessInLog, harmlessJsonInLog } from '../../src/output/github-log.ts'

it.each([
  ['::add-mask::e', ': :add-mask::e'],
  ['a\n \t\u00a0::stop-commands::e\n::x::', 'a\n \t\u00a0: :stop-commands::e\n: :x::'],
  [':::debug::e', ': ::debug::e'],
  ['a call of ##[add-mask]e ###[x]', 'a call of ## [add-mask]e ### [x]'],
  ['std::vector, # [x], #[y]\n\n:', 'std::vector, # [x], #[y]\n\n:'],
])('%j is %j in the log', (lines, expected) => {
  expect(harmlessInLog(lines)).toBe(expected)
  expect(harmlessInLog(expected)).toBe(expected)
})

it('leaves JSON the same, with no mark in it', () => {
  const json = JSON.stringify({ '##[a]': ['###[add-mask]e', '\\##['] })
  expect(harmlessJsonInLog(json)).not.toContain('##[')
  expect(JSON.parse(harmlessJsonInLog(json))).toEqual(JSON.parse(json))
})
