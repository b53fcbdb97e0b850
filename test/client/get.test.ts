import { gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { getJson } from '../../src/client/get.ts'
import type { HttpOptions } from '../../src/client/http.ts'
import { RequestError } from '../../src/client/request-error.ts'
import { HermError } from '../../src/errors.ts'
import {
  type Behaviour,
  cutAfterReading,
  html,
  json,
  neverAnswers,
  rawBytes,
  redirect,
  refusedPort,
  type Script,
  scriptedServer,
  stalled,
  status,
  text,
  truncated,
} from '../helpers/scripted-server.ts'
import { testClock } from '../helpers/test-clock.ts'
import { caught, everythingIn, instantClock, KEY, testHttp } from './test-http.ts'

async function setup(script: Script, overrides: Partial<HttpOptions> = {}) {
  const server = await scriptedServer(script)
  const clock = instantClock()
  const lines: string[] = []
  const http = testHttp(server.url, { clock, debug: (line) => lines.push(line), ...overrides })
  const get = (signal?: AbortSignal) =>
    getJson(http, { url: http.url('/v1/sessions/s_1', { cursor: 'c' }), signal, decode: (body) => JSON.parse(body) })
  return { server, clock, http, lines, get }
}

describe('getJson', () => {
  test('sends the key, the user agent and what it accepts', async () => {
    const { server, get } = await setup([json({ id: 's_1' })])
    expect(await get()).toEqual({ id: 's_1' })
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      url: '/v1/sessions/s_1?cursor=c',
      headers: { 'x-api-key': KEY, 'user-agent': 'herm-tools/0.0.0', accept: 'application/json' },
    })
  })

  test('keeps the path of the base URL', async () => {
    const server = await scriptedServer([json({})])
    const http = testHttp(`${server.url}/herm/`)
    await getJson(http, { url: http.url('/v1/sessions'), decode: JSON.parse })
    expect(server.requests[0]?.url).toBe('/herm/v1/sessions')
  })

  test('takes JSON with a byte order mark and without a content type', async () => {
    const { get } = await setup([text('\ufeff{"a":"é"}')])
    expect(await get()).toEqual({ a: 'é' })
  })
})

describe('passing failures are retried', () => {
  test.each([408, 425, 429, 500, 502, 503, 504])('status %i', async (code) => {
    const { server, clock, get } = await setup([status(code), status(code), json({ ok: true })])
    expect(await get()).toEqual({ ok: true })
    expect(server.requests).toHaveLength(3)
    expect(clock.pauses).toEqual([500, 1000])
  })

  test.each([
    ['a cut connection', cutAfterReading],
    ['a truncated answer', truncated('{"ok"')],
    ['an answer that never comes', neverAnswers],
    ['an answer that stops coming', stalled('{"ok"')],
  ])('%s', async (_name, behaviour) => {
    const { server, get } = await setup([behaviour, json({ ok: true })], { limits: { headersMs: 50, bodyMs: 50 } })
    expect(await get()).toEqual({ ok: true })
    expect(server.requests).toHaveLength(2)
  })

  test('up to five attempts, with the last words of the service', async () => {
    const { server, clock, get } = await setup([
      json({ error: { code: 'busy', message: 'Come back.' } }, { status: 503 }),
    ])
    const error = await caught(get())
    expect(error).toMatchObject({ kind: 'failed', status: 503, serviceCode: 'busy', passing: true, sent: true })
    expect((error as Error).message).toBe(
      `GET /v1/sessions/s_1 at 127.0.0.1:${server.port} was answered with 503 busy: Come back.`,
    )
    expect(server.requests).toHaveLength(5)
    expect(clock.pauses).toEqual([500, 1000, 2000, 4000])
  })

  test('never before Retry-After in seconds', async () => {
    const { clock, get } = await setup([status(429, { 'retry-after': '7' }), json({})])
    await get()
    expect(clock.pauses).toEqual([7500])
  })

  test('never before a Retry-After date, by the service’s own clock', async () => {
    const date = 'Thu, 01 Jan 2032 00:00:00 GMT'
    const { clock, get } = await setup([
      status(503, { date, 'retry-after': 'Thu, 01 Jan 2032 00:00:09 GMT' }),
      json({}),
    ])
    await get()
    expect(clock.pauses).toEqual([9500])
  })

  test('not when the pause would be longer than a command should wait', async () => {
    const { server, clock, get } = await setup([status(429, { 'retry-after': '600' })])
    expect(await caught(get())).toMatchObject({ kind: 'rejected', retryAfterMs: 600_000 })
    expect(server.requests).toHaveLength(1)
    expect(clock.pauses).toEqual([])
  })

  test('a refused connection, named with its code', async () => {
    const port = await refusedPort()
    const clock = instantClock()
    const http = testHttp(`http://127.0.0.1:${port}`, { clock })
    const error = await caught(getJson(http, { url: http.url('/v1/sessions'), decode: JSON.parse }))
    expect(error).toMatchObject({ kind: 'unreachable', passing: true, sent: false, exitCode: 9 })
    expect((error as Error).message).toBe(
      `GET /v1/sessions at 127.0.0.1:${port} failed: the connection was refused (ECONNREFUSED)`,
    )
    expect(clock.pauses).toHaveLength(4)
  })

  test('an abort ends a pause with its own reason', async () => {
    const { get, lines } = await setup([status(503)], { clock: testClock() })
    const reason = new HermError('interrupted', 'stopped')
    const stop = new AbortController()
    const result = caught(get(stop.signal))
    await vi.waitFor(() => expect(lines.at(-1)).toMatch(/^retrying in 500 ms: /))
    stop.abort(reason)
    expect(await result).toBe(reason)
  })
})

describe('permanent failures end it at once', () => {
  test.each([
    [400, 'rejected'],
    [401, 'auth'],
    [403, 'auth'],
    [404, 'not_found'],
    [409, 'rejected'],
    [422, 'rejected'],
    [501, 'failed'],
    [304, 'rejected'],
  ] as const)('status %i is %s', async (code, kind) => {
    const { server, get } = await setup([status(code)])
    expect(await caught(get())).toMatchObject({ kind, status: code, passing: false })
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    [
      'JSON',
      json({ error: { code: 'unauthorized', message: 'No such key.' } }, { status: 401 }),
      '401 unauthorized: No such key.',
    ],
    [
      'flat JSON',
      json({ error: 'unauthorized', message: 'No such key.' }, { status: 401 }),
      '401 unauthorized: No such key.',
    ],
    ['text', text('Go away', { status: 401 }), '401 Go away'],
    ['HTML', html('<html><style>p{}</style><body><p>Forbidden</p></body></html>', { status: 401 }), '401 Forbidden'],
    ['nothing', status(401), '401'],
    ['control characters', text('a\u001b[31mb\u0007c', { status: 401 }), '401 a [31mb c'],
    ['a body that breaks off', truncated('{"message":"bro', { status: 401 }), '401 {"message":"bro'],
  ])('an error body of %s', async (_name, behaviour, ending) => {
    const { server, get } = await setup([behaviour])
    const error = await caught(get())
    expect(error).toMatchObject({ kind: 'auth', status: 401 })
    expect((error as Error).message.endsWith(`was answered with ${ending}`), (error as Error).message).toBe(true)
    expect(server.requests).toHaveLength(1)
  })

  test('an error body is read within limits of size and time', async () => {
    const { get } = await setup([text('x'.repeat(5000), { status: 400 }), stalled('{"code":', { status: 403 })], {
      limits: { errorBytes: 10, errorBodyMs: 1 },
    })
    expect((await caught(get())) as Error).toMatchObject({ message: expect.stringMatching(/ 400 x{10}$/) })
    expect(await caught(get())).toMatchObject({ kind: 'auth', status: 403 })
  })

  test.each([
    ['by its type', html('<p>Sign in</p>')],
    ['by its text', text('<!DOCTYPE html><p>Sign in</p>')],
  ])('a 200 that is a page, told %s', async (_name, behaviour) => {
    const { server, get } = await setup([behaviour])
    const error = await caught(get())
    expect(error).toMatchObject({ kind: 'failed', status: 200 })
    expect((error as Error).message).toContain('an HTML page, not JSON')
    expect(server.requests).toHaveLength(1)
  })

  test('an answer in an encoding that was not asked for, whose bytes are not shown', async () => {
    const compressed: Behaviour = {
      readsBody: true,
      run: ({ response }) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"ok":true}'))
      },
    }
    const refused: Behaviour = {
      readsBody: true,
      run: ({ response }) => {
        response.writeHead(401, { 'content-encoding': 'gzip' }).end(gzipSync('{"message":"No."}'))
      },
    }
    const { server, get } = await setup([compressed, refused])
    expect(await caught(get())).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('in the encoding gzip'),
    })
    expect(await caught(get())).toMatchObject({ kind: 'auth', message: expect.stringMatching(/answered with 401$/) })
    expect(server.requests[0]?.headers['accept-encoding']).toBe('identity')
  })

  test('an answer over the limit', async () => {
    const { server, get } = await setup([json({ a: 'x'.repeat(2000) })], { limits: { answerBytes: 1000 } })
    expect(await caught(get())).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('more than 1000 bytes'),
    })
    expect(server.requests).toHaveLength(1)
  })

  test('a service that does not speak TLS, or not HTTP', async () => {
    const server = await scriptedServer([rawBytes('SSH-2.0-OpenSSH_9\r\n')])
    for (const url of [server.url.replace('http:', 'https:'), server.url]) {
      const http = testHttp(url)
      const error = await caught(getJson(http, { url: http.url('/v1/sessions'), decode: JSON.parse }))
      expect(error).toMatchObject({ kind: 'unreachable', passing: false })
    }
    expect(server.requests).toHaveLength(1)
  })

  test('an abort while the answer is awaited ends with its own reason', async () => {
    const { server, get } = await setup([neverAnswers])
    const stop = new AbortController()
    const reason = new HermError('interrupted', 'stopped')
    const result = caught(get(stop.signal))
    await server.arrived(1)
    stop.abort(reason)
    expect(await result).toBe(reason)
    expect(server.requests).toHaveLength(1)
  })

  test('an attempt as a whole has a limit', async () => {
    const server = await scriptedServer([stalled('{')])
    const http = testHttp(server.url, { limits: { attemptMs: 300 } })
    const error = await caught(getJson(http, { url: http.url('/v1/sessions'), decode: JSON.parse }))
    expect(error).toMatchObject({ kind: 'unreachable', passing: true })
    expect((error as Error).message).toContain('no answer in time (ETIMEDOUT)')
  })
})

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i within the service is followed', async (code) => {
    const { server, get } = await setup([redirect('/v2/here?x=1', code), json({ ok: true })])
    expect(await get()).toEqual({ ok: true })
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/sessions/s_1?cursor=c', '/v2/here?x=1'])
    expect(server.requests[1]?.headers['x-api-key']).toBe(KEY)
  })

  test('to another origin is refused, and nothing is sent there', async () => {
    const other = await scriptedServer([json({})])
    const { server, get } = await setup([redirect(`${other.url}/v1`)])
    const error = await caught(get())
    expect(error).toMatchObject({ kind: 'failed', status: 302 })
    expect((error as Error).message).toContain(`redirected to 127.0.0.1:${other.port} (http), which is not followed`)
    expect(server.requests).toHaveLength(1)
    expect(other.connections()).toBe(0)
  })

  test.each([undefined, '', 'http://'])('without an address (%j)', async (location) => {
    const { server, get } = await setup([redirect(location)])
    expect(await caught(get())).toMatchObject({ kind: 'failed', message: expect.stringContaining('names no address') })
    expect(server.requests).toHaveLength(1)
  })

  test('in a circle end', async () => {
    const { server, get } = await setup([redirect('/round')])
    expect(await caught(get())).toMatchObject({ kind: 'failed', message: expect.stringContaining('more than 5 times') })
    expect(server.requests).toHaveLength(6)
  })
})

describe('the key', () => {
  const echo = `${'x'.repeat(110)}${KEY} ${encodeURIComponent(KEY)}`

  test.each([
    ['a refusal', json({ error: { code: KEY, message: `bad key ${KEY}` } }, { status: 401 })],
    ['a refusal cut in its middle', text(echo, { status: 401 })],
    ['a page', html(`<p>${echo}</p>`)],
    ['text that is no JSON', text(echo)],
    ['an answer that is no HTTP', rawBytes(`HTTP/1.1 200 OK\r\nBad Header ${KEY}\r\n\r\n`)],
  ])('does not show when it comes back in %s', async (_name, behaviour) => {
    const { get, lines } = await setup([behaviour])
    const shown = everythingIn(await caught(get())) + lines.join('\n')
    expect(shown).not.toContain('prism_sk')
    expect(shown).toContain('GET /v1/sessions/s_1')
  })

  test('does not show in the lines for debugging', async () => {
    const { http, lines } = await setup([status(503), json({})])
    await getJson(http, { url: http.url(`/v1/sessions/${encodeURIComponent(KEY)}`), decode: JSON.parse })
    expect(lines).toEqual([
      'GET /v1/sessions/[key]: 503 after 0 ms',
      expect.stringMatching(/^retrying in 500 ms: GET \/v1\/sessions\/\[key\] at /),
      'GET /v1/sessions/[key]: 200 after 0 ms',
    ])
  })
})

test('a RequestError is a HermError', async () => {
  const { get } = await setup([status(404)])
  const error = await caught(get())
  expect(error).toBeInstanceOf(RequestError)
  expect(error).toBeInstanceOf(HermError)
})
