import { describe, expect, test } from 'vitest'
import { faultKinds } from '../../src/emulator/fault-kinds.ts'
import { parseFault } from '../../src/emulator/fault-text.ts'
import { HermError } from '../../src/errors.ts'

function mistake(text: string): HermError {
  try {
    parseFault(text)
  } catch (error) {
    if (error instanceof HermError) return error
    throw error
  }
  throw new Error('the fault was accepted')
}

test('a name alone strikes at every chance', () => {
  expect(parseFault('accepted-cut')).toMatchObject({
    text: 'accepted-cut',
    name: 'accepted-cut',
    at: 'accepted',
    probability: 1,
    count: Number.POSITIVE_INFINITY,
    after: 0,
  })
})

test.each([
  ['accepted-cut,p=0.3,count=5,after=2', { probability: 0.3, count: 5, after: 2 }],
  ['accepted-cut, after=0, p=.25', { probability: 0.25, count: Number.POSITIVE_INFINITY, after: 0 }],
  ['post-refused=503,p=1', { name: 'post-refused', probability: 1 }],
  ['clock-skew=-90s,count=0', { name: 'clock-skew', count: 0 }],
])('options are read: %s', (text, expected) => {
  expect(parseFault(text)).toMatchObject({ text, ...expected })
})

describe('a mistake names the fault and what is right', () => {
  test.each([
    ['', 'there is no fault ""'],
    ['post_cut', 'there is no fault "post_cut"'],
    ['toString', 'there is no fault "toString"'],
    ['=3', 'there is no fault ""'],
  ])('"%s": %s, and all that there are', (text, message) => {
    const error = mistake(text)
    expect([error.kind, error.message]).toEqual(['usage', message])
    for (const name of Object.keys(faultKinds)) expect(error.hint).toContain(name)
  })

  test('of each kind that needs a value, with one that can be copied', () => {
    for (const name of Object.keys(faultKinds).filter((name) => faultKinds[name]?.form !== undefined)) {
      const [, copied = ''] = /^Write (.*)\.$/.exec(mistake(name).hint ?? '') ?? []
      expect(parseFault(copied)).toMatchObject({ name, text: copied })
    }
  })

  test.each([
    ['post-cut=3', 'fault post-cut: it takes no value', 'Write post-cut.'],
    ['post-cut=', 'fault post-cut: it takes no value', 'Write post-cut.'],
    ['post-late', 'fault post-late: it needs a duration such as 250ms, 2s or 1m', 'Write post-late=2s.'],
    ['post-late=soon', 'fault post-late: it needs a duration', 'Write'],
    ['post-late=-2s', 'fault post-late: it needs a duration', 'Write'],
    ['post-refused', 'fault post-refused: it needs a status from 400 to 599', 'Write'],
    ['post-refused=399', 'fault post-refused: it needs a status', 'Write'],
    ['post-refused=600', 'fault post-refused: it needs a status', 'Write'],
    ['accepted-error=429', 'fault accepted-error: it needs a status from 500 to 599', 'Write'],
    ['clock-skew=later', 'fault clock-skew: it needs a duration such as 90s, or -90s', 'Write'],
    [
      'post-cut,times=3',
      'fault post-cut: there is no option "times"',
      'p (a probability from 0 to 1), count and after',
    ],
    ['post-cut,', 'fault post-cut: there is no option ""', 'The options are'],
    ['post-cut,p', 'fault post-cut: p cannot be ""', 'The options are'],
    ['post-cut,p=30%', 'fault post-cut: p cannot be "30%"', 'The options are'],
    ['post-cut,p=1.5', 'fault post-cut: p cannot be "1.5"', 'The options are'],
    ['post-cut,count=some', 'fault post-cut: count cannot be "some"', 'The options are'],
    ['post-cut,after=-1', 'fault post-cut: after cannot be "-1"', 'The options are'],
  ])('"%s": %s', (text, message, hint) => {
    const error = mistake(text)
    expect(error.kind).toBe('usage')
    expect(error.message.startsWith(message), error.message).toBe(true)
    expect(error.hint).toContain(hint)
  })

  test('a likely name is asked about first', () => {
    const suggest = (word: string, known: readonly string[]) => `Did you mean ${known[0]} by ${word}?`
    expect(() => parseFault('post-cat', suggest)).toThrow(
      expect.objectContaining({
        hint: expect.stringMatching(/^Did you mean post-cut by post-cat\? The faults are post-cut, /),
      }),
    )
  })
})
