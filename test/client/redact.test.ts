import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/client/redact.ts'
import { everythingIn, KEY } from './test-http.ts'

describe('createRedactor', () => {
  test('masks the key, also URL-encoded, wherever it stands', () => {
    const redact = createRedactor(KEY)
    expect(redact.text(`a ${KEY} b ${encodeURIComponent(KEY)} c`)).toBe('a [key] b [key] c')
  })

  test('masks nothing without a key', () => {
    expect(createRedactor(undefined).text('abc')).toBe('abc')
    expect(createRedactor('').text('abc')).toBe('abc')
  })

  test('copies an error with its code and its causes, and leaves other fields behind', () => {
    const inner = Object.assign(new Error(`inner ${KEY}`), { code: 'ECONNRESET', data: KEY })
    const outer = new Error(`outer ${KEY}`, { cause: new AggregateError([inner], 'several') })
    const copy = createRedactor(KEY).error(outer)
    expect(everythingIn(copy)).not.toContain(KEY)
    expect(copy.message).toBe('outer [key]')
    expect((copy.cause as Error).cause).toMatchObject({ message: 'inner [key]', code: 'ECONNRESET' })
  })

  test('ends with an error that is its own cause', () => {
    const error = new Error('round')
    error.cause = error
    expect(createRedactor(KEY).error(error).message).toBe('round')
  })
})
