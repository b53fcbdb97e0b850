import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/protocol/shell-word.ts'

test.each(['custom_toolu_01', 'ses-1', 'https://a.example:1/x?', 'a b', "it's", '$(id) `id` ;|&><*', "'; id; '", ''])(
  '%j is one word to a shell',
  (text) => {
    expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text)
  },
)

test('a plain one stays as it is', () => {
  expect(shellWord('custom_toolu_01')).toBe('custom_toolu_01')
})
