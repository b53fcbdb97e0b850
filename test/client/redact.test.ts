import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/client/redact.ts'
import { everythingIn, KEY } from './test-http.ts'

/** With what URLs, JSON and HTML escape. */
const ODD = 'Prism/"sk\\&+<=>0123'
const inJson = (key: string) => [...key].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')

describe('createRedactor', () => {
  test('masks the key, also URL-encoded, wherever it stands', () => {
    const redact = createRedactor(KEY)
    expect(redact.text(`a ${KEY} b ${encodeURIComponent(KEY)} c`)).toBe('a [key] b [key] c')
  })

  test.each([
    ['in JSON', JSON.stringify(ODD)],
    ['in JSON, character by character', inJson(ODD)],
    ['in a URL', encodeURIComponent(ODD)],
    ['in a URL in a URL', encodeURIComponent(encodeURIComponent(ODD))],
    ['in a URL, in small letters', encodeURIComponent(ODD).toLowerCase()],
    ['in HTML', [...ODD].map((one) => `&#${one.charCodeAt(0)};`).join('')],
    ['in HTML, hexadecimal', [...ODD].map((one) => `&#x0${one.charCodeAt(0).toString(16)};`).join('')],
    ['in capitals', ODD.toUpperCase()],
    ['in several ways at once', `${encodeURIComponent(ODD.slice(0, 9))}${inJson(ODD.slice(9))}`],
  ])('masks a key %s', (_name, text) => {
    expect(createRedactor(ODD).text(`<${text}>`)).toMatch(/^<"?\[key\]"?>$/)
  })

  test('masks a key of any length, and each of several', () => {
    const long = 'aB3_/"'.repeat(2_000)
    expect(createRedactor(KEY, long).text(`${KEY} ${long} ${encodeURIComponent(long)}`)).toMatch(
      /^\[key\] \[key\] \[key\]/,
    )
  })

  test.each([4_096, 4_097, 40_000, 1_000_000])('masks a key of %i characters', (length) => {
    const long = 'aB3_/"x'.repeat(length).slice(0, length)
    expect(createRedactor(long, KEY, long.slice(1)).text(`<${long}> ${KEY}`)).toBe('<[key]> [key]')
  })

  test('leaves the beginning of a key alone, where the rest does not follow', () => {
    const { text } = createRedactor(KEY)
    const beginnings = [1, 4, 5, KEY.length - 1].map((length) => KEY.slice(0, length)).join(' ')
    expect(text(`${beginnings} ${KEY} ${beginnings}`)).toBe(`${beginnings} [key] ${beginnings}`)
  })

  test('masks letters that stand for no single byte', () => {
    expect(createRedactor('clé-€-🔑-key').text('a clé-€-🔑-key')).toBe('a [key]')
  })

  test('is done with a long text in no time', () => {
    const { text } = createRedactor(ODD)
    const startedAt = performance.now()
    for (const part of ['\\', '%25', '&#0', ODD.slice(0, -1)]) text(part.repeat(200_000 / part.length))
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  test('masks nothing without a key, nor for one that is no secret', () => {
    for (const key of [undefined, '', 'test']) expect(createRedactor(key).text('a test')).toBe('a test')
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
