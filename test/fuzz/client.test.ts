import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HermError } from '../../src/errors.ts'
import { everythingIn, KEY, testClient } from '../client/test-http.ts'
import { type Behaviour, rawBytes, scriptedServer, text } from '../helpers/scripted-server.ts'
import { abyss, envelopeLike, oddText } from './arbitraries.ts'

const statuses = fc.oneof(
  { arbitrary: fc.constant(200), weight: 4 },
  { arbitrary: fc.constantFrom(201, 202, 204, 301, 304, 307, 400, 401, 404, 409, 500, 418, 599), weight: 2 },
)

/** The key as a service may echo it. */
const keyOf = fc.constantFrom(
  KEY,
  encodeURIComponent(KEY),
  KEY.toUpperCase(),
  [...KEY].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  KEY.replaceAll('+', '&#43;'),
)

const bodies = fc.oneof(
  oddText,
  fc.json(),
  keyOf.map((key) => `the key ${key} is no good`),
  keyOf.map((key) => `{"error":{"code":"${key}","message":"no ${key}"}}`),
  fc.array(envelopeLike, { maxLength: 4 }).map((data) => JSON.stringify({ data, nextCursor: null })),
  keyOf.map((key) => `{"data":[{"id":5,"key":"${key}"}]}`),
  fc.constantFrom(abyss, '<!doctype html><title>x</title>'),
)

const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'text/html', 'text/event-stream', KEY, ''),
    'retry-after': fc.constantFrom('-1', 'soon', '1e9', '0', 'Wed, 99 Foo 9999'),
    location: fc.constantFrom(
      '',
      '//',
      'http://',
      `https://${KEY.replace(/\W/g, '')}.example/${KEY}`,
      '/v1/x',
      'data:,',
    ),
    date: fc.constantFrom('never', 'Thu, 01 Jan 1970 00:00:00 GMT', ''),
  },
  { requiredKeys: [] },
)

const answers: fc.Arbitrary<Behaviour> = fc.oneof(
  fc
    .record({ status: statuses, body: bodies, headers })
    .map(({ status, body, headers }) => text(body, { status, headers })),
  fc
    .oneof(fc.string(), fc.constantFrom(`HTTP/1.1 200 ${KEY}\r\n`, `HTTP/9.9 x\r\n${KEY}: ${KEY}\r\n\r\n`))
    .map(rawBytes),
)

it('whatever the service answers, it is data, or an error that says what was wrong and shows no key', async () => {
  let answer = text('')
  const { url } = await scriptedServer(() => answer)
  const client = testClient(url, {
    limits: { answerBytes: 100_000, errorBytes: 10_000, bodyMs: 1_000, headersMs: 1_000 },
  })
  const event = { type: 'user.message' }
  const asks: (() => Promise<unknown>)[] = [
    () => client.getSession('s'),
    () => client.listSessions(),
    () => drain(client.listEvents('s')),
    () => drain(client.stream('s')),
    () => client.postEvents('s', [event]).then((outcome) => ('error' in outcome ? Promise.reject(outcome.error) : 0)),
    () => client.createSession('a', {}).then((outcome) => ('error' in outcome ? Promise.reject(outcome.error) : 0)),
  ]
  await fc.assert(
    fc.asyncProperty(answers, fc.constantFrom(...asks), async (given, ask) => {
      answer = given
      const error = await ask().then(
        () => undefined,
        (reason) => reason,
      )
      if (error === undefined) return
      expect(error).toBeInstanceOf(HermError)
      expect(error.message).toMatch(/\S/)
      const shown = everythingIn(error).toLowerCase()
      expect(shown).not.toContain(KEY.toLowerCase())
      expect(shown).not.toContain(encodeURIComponent(KEY).toLowerCase())
      expect(error.message.length).toBeLessThan(1_000)
    }),
    { numRuns: 80 },
  )
})

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}
