import { expect, it } from 'vitest'
import { createRecentTexts } from '../../src/protocol/recent-texts.ts'

it('knows a text again', () => {
  const texts = createRecentTexts()
  expect([texts.add('a'), texts.add('b'), texts.add('a')]).toEqual([true, true, false])
  expect([texts.has('a'), texts.has('c')]).toEqual([true, false])
})

it('forgets the oldest of more than a thousand', () => {
  const texts = createRecentTexts()
  for (let n = 0; n <= 1_000; n++) texts.add(`${n}`)
  expect([texts.has('0'), texts.has('1'), texts.has('1000')]).toEqual([false, true, true])
})
