import { expect, test } from 'vitest'
import { HermError } from '../../src/errors.ts'
import { interruptedWhile } from '../../src/session/interruption.ts'

const left = { open: 'nothing was sent', hint: 'Run it again.' }

test('an interruption says what it left open, and keeps a hint of its own', () => {
  expect(interruptedWhile(new HermError('interrupted', 'interrupted'), left)).toMatchObject({
    kind: 'interrupted',
    message: 'interrupted: nothing was sent',
    hint: 'Run it again.',
  })
  const timeout = new HermError('timeout', 'not in time', { hint: 'Answer the other call.' })
  expect(interruptedWhile(timeout, left)).toMatchObject({ kind: 'timeout', hint: 'Answer the other call.' })
})

test('what is no failure, such as a closed stdout, stays as it is', () => {
  const closed = new Error('stdout was closed')
  expect(interruptedWhile(closed, left)).toBe(closed)
})
