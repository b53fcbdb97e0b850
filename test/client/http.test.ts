import { describe, expect, test } from 'vitest'
import { getJson } from '../../src/client/get.ts'
import { createHttp } from '../../src/client/http.ts'
import { post } from '../../src/client/post-outcome.ts'
import { HermError } from '../../src/errors.ts'
import { type ProxyBehaviour, proxyServer } from '../helpers/proxy-server.ts'
import { json, scriptedServer } from '../helpers/scripted-server.ts'
import { testClock } from '../helpers/test-clock.ts'
import { caught, everythingIn, httpOptions, KEY, testHttp } from './test-http.ts'
import { selfSignedServer, silentServer } from './tls-server.ts'

describe('the key', () => {
  test('is not sent over plain http to another machine', () => {
    expect(() => createHttp(httpOptions('http://api.herm.run'))).toThrow(
      /^the key is not sent to api.herm.run over plain/,
    )
  })

  test.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'https://api.herm.run'])(
    'may go to %s',
    async (url) => {
      await createHttp(httpOptions(url)).close()
    },
  )

  test.each(['http://127.0.0.1.example.com', 'http://localhost.example.com', 'http://0.0.0.0:1'])(
    'not to %s',
    (url) => {
      expect(() => createHttp(httpOptions(url))).toThrow(HermError)
    },
  )

  test('that is no header value is refused without being shown', () => {
    let error: unknown
    try {
      createHttp(httpOptions('https://api.herm.run', { apiKey: 'secret\n' }))
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ kind: 'auth' })
    expect(everythingIn(error)).not.toContain('secret')
  })

  test('is left out when there is none', async () => {
    const server = await scriptedServer([json({})])
    const http = testHttp(server.url, { apiKey: undefined })
    await getJson(http, { url: http.url('/'), decode: JSON.parse })
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key')
  })

  test('a request to another origin is not made', async () => {
    const server = await scriptedServer([json({})])
    const http = testHttp('https://api.herm.run')
    expect(await caught(http.send({ method: 'GET', url: new URL(server.url) }))).toMatchObject({ kind: 'failed' })
    expect(server.connections()).toBe(0)
  })
})

describe('a proxy', () => {
  test('is asked for plain http in absolute form, with its credentials, for reads and writes', async () => {
    const server = await scriptedServer([json({ ok: true })])
    const proxy = await proxyServer({ toPort: server.port, login: 'user:p@ss%' })
    const env = { http_proxy: proxy.url.replace('//', '//user:p%40ss%@') }
    const http = testHttp('http://herm.test', { apiKey: undefined, env })
    for (let count = 0; count < 2; count++) {
      expect(await getJson(http, { url: http.url('/v1'), decode: JSON.parse })).toEqual({ ok: true })
      expect(await post(http, { url: http.url('/v1'), json: {}, decode: JSON.parse })).toMatchObject({
        kind: 'accepted',
      })
    }
    expect(proxy.asked.sort()).toEqual([
      'GET http://herm.test/v1',
      'GET http://herm.test/v1',
      'POST http://herm.test/v1',
      'POST http://herm.test/v1',
    ])
    expect(server.requests[0]?.headers.host).toBe('herm.test')
    expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  test('may have a name and no password, as with tokens', async () => {
    const server = await scriptedServer([json({ ok: true })])
    const proxy = await proxyServer({ toPort: server.port, login: 'token:' })
    const http = testHttp('http://herm.test', {
      apiKey: undefined,
      env: { http_proxy: proxy.url.replace('//', '//token@') },
    })
    expect(await getJson(http, { url: http.url('/v1'), decode: JSON.parse })).toEqual({ ok: true })
  })

  test.each<[string, NonNullable<ProxyBehaviour['refusal']>, { passing: boolean; tries: number; words: string }]>([
    ['that wants to know who asks', 407, { passing: false, tries: 1, words: 'failed: the proxy answered 407' }],
    ['that refuses', 403, { passing: false, tries: 1, words: 'failed: the proxy answered 403' }],
    ['that is overloaded', 503, { passing: true, tries: 5, words: 'failed: the proxy answered 503' }],
    ['that cuts the connection', 'cut', { passing: true, tries: 5, words: 'cut (ECONNRESET)' }],
  ])('%s is named without its credentials; nothing was sent', async (_name, refusal, expected) => {
    const proxy = await proxyServer({ refusal })
    const env = { HTTPS_PROXY: proxy.url.replace('//', '//user:pass@') }
    const http = testHttp('https://herm.test', { env })

    const error = await caught(getJson(http, { url: http.url('/v1'), decode: JSON.parse }))
    expect(error).toMatchObject({ kind: 'unreachable', sent: false, passing: expected.passing })
    expect((error as Error).message).toContain(`GET /v1 at herm.test through the proxy ${proxy.url} failed: `)
    expect((error as Error).message).toContain(expected.words)
    expect(everythingIn(error)).not.toContain('pass@')
    expect(proxy.asked).toHaveLength(expected.tries)

    const outcome = await post(http, { url: http.url('/v1'), json: {}, decode: JSON.parse })
    expect(outcome).toMatchObject({ kind: 'rejected', error: { kind: 'unreachable' } })
    expect(proxy.asked).toHaveLength(expected.tries + 1)
  })

  test('that wants to know who asks for plain http has taken nothing', async () => {
    const proxy = await proxyServer({ refusal: 407 })
    const http = testHttp('http://herm.test', { apiKey: undefined, env: { HTTP_PROXY: proxy.url } })
    const outcome = await post(http, { url: http.url('/v1'), json: {}, decode: JSON.parse })
    expect(outcome).toMatchObject({
      kind: 'rejected',
      error: { kind: 'unreachable', hint: expect.stringContaining('into HTTP_PROXY: http://NAME:PASSWORD@') },
    })
  })

  test('that fails for plain http leaves open what became of a post', async () => {
    const http = (env: Record<string, string>) => testHttp('http://herm.test', { apiKey: undefined, env })
    for (const refusal of [502, 'cut'] as const) {
      const proxy = await proxyServer({ refusal })
      const sending = http({ HTTP_PROXY: proxy.url })
      const outcome = await post(sending, { url: sending.url('/v1'), json: {}, decode: JSON.parse })
      expect(outcome).toMatchObject({ kind: 'unknown' })
      expect(proxy.asked).toHaveLength(1)
    }
  })

  test('that is silent has the time of a connection', async () => {
    const proxy = await proxyServer({ refusal: 'silence' })
    const http = testHttp('https://herm.test', { env: { HTTPS_PROXY: proxy.url }, limits: { connectMs: 50 } })
    const outcome = await post(http, { url: http.url('/v1'), json: {}, decode: JSON.parse })
    expect(outcome).toMatchObject({ kind: 'rejected', error: { kind: 'unreachable', sent: false } })
    expect(proxy.asked).toHaveLength(1)
  })

  test('is not used for this machine', async () => {
    const server = await scriptedServer([json({ ok: true })])
    const proxy = await proxyServer({ refusal: 500 })
    const http = testHttp(server.url, { env: { HTTP_PROXY: proxy.url } })
    expect(await getJson(http, { url: http.url('/v1'), decode: JSON.parse })).toEqual({ ok: true })
    expect(server.requests[0]?.headers['x-api-key']).toBe(KEY)
    expect(proxy.asked).toEqual([])
  })
})

test('a certificate that is not trusted ends it at once, with what to do; nothing was sent', async () => {
  const server = await selfSignedServer()
  const http = testHttp(`https://127.0.0.1:${server.port}`)
  const error = await caught(getJson(http, { url: http.url('/'), decode: JSON.parse }))
  expect(error).toMatchObject({
    kind: 'unreachable',
    passing: false,
    sent: false,
    message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    hint: expect.stringContaining('--ca-file'),
  })
  expect(server.connections()).toBe(1)
  const outcome = await post(http, { url: http.url('/'), json: {}, decode: JSON.parse })
  expect(outcome).toMatchObject({ kind: 'rejected', error: { kind: 'unreachable' } })
})

test('a connection that does not come to stand in time: nothing was sent', async () => {
  const server = await silentServer()
  const http = testHttp(`https://127.0.0.1:${server.port}`, { limits: { connectMs: 50 } })
  const outcome = await post(http, { url: http.url('/'), json: {}, decode: JSON.parse })
  expect(outcome).toMatchObject({
    kind: 'rejected',
    error: { kind: 'unreachable', sent: false, message: expect.stringContaining('UND_ERR_CONNECT_TIMEOUT') },
  })
  expect(server.connections()).toBe(1)
})

test('serviceNow follows the Date of the last answer', async () => {
  const server = await scriptedServer([json({}, { headers: { date: 'Thu, 01 Jan 2026 00:10:00 GMT' } })])
  const clock = testClock(Date.parse('2026-01-01T00:00:00Z'))
  const http = testHttp(server.url, { clock })
  expect(http.serviceNow()).toBe(clock.now())
  await getJson(http, { url: http.url('/'), decode: JSON.parse })
  await clock.advance(5000)
  expect(new Date(http.serviceNow()).toISOString()).toBe('2026-01-01T00:10:05.000Z')
})

test('a finished request leaves no wait behind', async () => {
  const server = await scriptedServer([json({})])
  const clock = testClock()
  const http = testHttp(server.url, { clock })
  await getJson(http, { url: http.url('/'), decode: JSON.parse })
  await clock.advance(0)
  expect(clock.sleepers()).toBe(0)
})
