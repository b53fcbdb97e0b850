import { describe, expect, test } from 'vitest'
import { getJson } from '../../src/client/get.ts'
import type { HttpOptions } from '../../src/client/http.ts'
import { post } from '../../src/client/post-outcome.ts'
import { HermError } from '../../src/errors.ts'
import {
  cutAfterReading,
  cutBeforeReading,
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
import { everythingIn, KEY, testHttp } from './test-http.ts'

/** Reads `{value}`; undefined for JSON of another shape, as a decoder that does not understand. */
function decode(body: string): { value: unknown } | undefined {
  if (body === '') return { value: 'nothing' }
  const parsed = JSON.parse(body)
  return 'value' in parsed ? { value: parsed.value } : undefined
}

async function setup(script: Script, overrides: Partial<HttpOptions> = {}) {
  const server = await scriptedServer(script)
  const http = testHttp(server.url, overrides)
  const send = (signal?: AbortSignal) =>
    post(http, { url: http.url('/v1/sessions/s_1/events'), json: { events: [{ type: 'ü' }] }, signal, decode })
  return { server, http, send }
}

describe('accepted', () => {
  test('a 2xx that can be read', async () => {
    const { server, send } = await setup([json({ value: 1 }, { status: 202 })])
    expect(await send()).toEqual({ kind: 'accepted', status: 202, value: 1 })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/sessions/s_1/events',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: '{"events":[{"type":"ü"}]}',
    })
  })

  test('an empty 202', async () => {
    const { send } = await setup([status(202)])
    expect(await send()).toEqual({ kind: 'accepted', status: 202, value: 'nothing' })
  })

  test('on a connection of its own: one that the service has closed meanwhile does no harm', async () => {
    const { server, http, send } = await setup([json({ value: 1 })])
    await getJson(http, { url: http.url('/'), decode })
    server.closeIdle()
    expect(await send()).toMatchObject({ kind: 'accepted' })
    expect(await send()).toMatchObject({ kind: 'accepted' })
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST'])
    expect(server.requests.map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'close', 'close'])
    expect(server.connections()).toBe(3)
  })
})

describe('rejected', () => {
  test.each([
    [400, 'rejected'],
    [401, 'auth'],
    [403, 'auth'],
    [404, 'not_found'],
    [408, 'rejected'],
    [409, 'rejected'],
    [413, 'rejected'],
    [422, 'rejected'],
  ] as const)('a complete %i, with the service’s code and words', async (code, kind) => {
    const { server, send } = await setup([
      json({ error: { code: 'invalid_state', message: 'Busy.' } }, { status: code }),
    ])
    expect(await send()).toMatchObject({
      kind: 'rejected',
      retryAfterMs: undefined,
      error: {
        kind,
        status: code,
        serviceCode: 'invalid_state',
        message: expect.stringMatching(/invalid_state: Busy\.$/),
      },
    })
    expect(server.requests).toHaveLength(1)
  })

  test('a 429, with its Retry-After', async () => {
    const { server, send } = await setup([status(429, { 'retry-after': '3' })])
    expect(await send()).toMatchObject({
      kind: 'rejected',
      retryAfterMs: 3000,
      error: { kind: 'rejected', status: 429 },
    })
    expect(server.requests).toHaveLength(1)
  })

  test('a 4xx whose body breaks off', async () => {
    const { send } = await setup([truncated('{"error"', { status: 409 })])
    expect(await send()).toMatchObject({ kind: 'rejected', error: { status: 409 } })
  })

  test.each([301, 302, 303, 307, 308])('a redirect with %i, which is not followed', async (code) => {
    const { server, send } = await setup([redirect('/elsewhere', code), json({ value: 1 })])
    expect(await send()).toMatchObject({ kind: 'rejected', error: { kind: 'rejected', status: code } })
    expect(server.requests).toHaveLength(1)
  })

  test('a refused connection: nothing was sent', async () => {
    const http = testHttp(`http://127.0.0.1:${await refusedPort()}`)
    const outcome = await post(http, { url: http.url('/'), json: {}, decode })
    expect(outcome).toMatchObject({
      kind: 'rejected',
      error: { kind: 'unreachable', sent: false, message: expect.stringContaining('ECONNREFUSED') },
    })
  })

  test('a host name that does not exist: nothing was sent', async () => {
    const http = testHttp('https://no-such-host.invalid')
    const outcome = await post(http, { url: http.url('/'), json: {}, decode })
    expect(outcome).toMatchObject({ kind: 'rejected', error: { kind: 'unreachable', sent: false } })
  })

  test('a TLS handshake that fails: nothing was sent', async () => {
    const server = await scriptedServer([json({ value: 1 })])
    const http = testHttp(server.url.replace('http:', 'https:'))
    const outcome = await post(http, { url: http.url('/'), json: {}, decode })
    expect(outcome).toMatchObject({ kind: 'rejected', error: { kind: 'unreachable', sent: false } })
    expect(server.requests).toHaveLength(0)
  })

  test('an abort before anything was sent', async () => {
    const { server, send } = await setup([json({ value: 1 })])
    const reason = new HermError('terminated', 'stopped')
    expect(await send(AbortSignal.abort(reason))).toMatchObject({
      kind: 'rejected',
      error: { kind: 'terminated', sent: false, cause: reason },
    })
    expect(server.connections()).toBe(0)
  })

  test('an abort while the connection is made, at once, and nothing is sent later', async () => {
    const { server, send } = await setup([json({ value: 1 })])
    const stop = new AbortController()
    const outcome = send(stop.signal)
    stop.abort(new HermError('interrupted', 'stopped'))
    expect(await outcome).toMatchObject({ kind: 'rejected', error: { kind: 'interrupted', sent: false } })
    expect(await send()).toMatchObject({ kind: 'accepted' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('unknown', () => {
  test.each([
    ['a 500', status(500), '500'],
    ['a 502 with a page', html('<h1>Bad Gateway</h1>', { status: 502 }), '502 Bad Gateway'],
    ['a 503 with Retry-After', status(503, { 'retry-after': '1' }), '503'],
    ['a connection cut before the request was read', cutBeforeReading, 'ECONNRESET'],
    ['a connection cut after the request was read', cutAfterReading, 'ECONNRESET'],
    ['no answer', neverAnswers, 'UND_ERR_HEADERS_TIMEOUT'],
    ['an answer that stops coming', stalled('{"val', { status: 202 }), 'UND_ERR_BODY_TIMEOUT'],
    ['a truncated 202', truncated('{"value":1}', { status: 202 }), 'cut'],
    ['a 200 that is a page', html('<p>Sign in</p>'), 'HTML page'],
    ['a 202 that is no JSON', text('OK', { status: 202 }), 'not valid JSON'],
    ['a 202 that is not understood', json({ other: 1 }, { status: 202 }), 'nothing that can be read'],
    ['an answer that is no HTTP', rawBytes('whatever\r\n\r\n'), 'the answer is not HTTP (HTTPParserError)'],
    ['a chunked answer without its end', rawBytes(chunked('{"value":1}')), 'the connection was cut'],
  ])('%s; sent once', async (_name, behaviour, words) => {
    const { server, send } = await setup([behaviour], { limits: { headersMs: 50, bodyMs: 50 } })
    const outcome = await send()
    expect(outcome).toMatchObject({ kind: 'unknown', error: { kind: 'unknown', exitCode: 6 } })
    expect((outcome as { error: Error }).error.message).toContain(words)
    expect((outcome as { error: Error }).error.message).toContain('whether it was accepted is not known')
    expect(server.requests).toHaveLength(1)
  })

  test('an abort while the answer is awaited; the reason is the cause', async () => {
    const { server, send } = await setup([neverAnswers])
    const stop = new AbortController()
    const reason = new HermError('interrupted', 'stopped')
    const outcome = send(stop.signal)
    await server.arrived(1)
    stop.abort(reason)
    expect(await outcome).toMatchObject({ kind: 'unknown', error: { kind: 'unknown', cause: reason } })
    expect(server.requests).toHaveLength(1)
  })

  test('an abort in the middle of the answer', async () => {
    const clock = testClock()
    const { server, send } = await setup([stalled('{"val', { status: 202 })], { clock })
    const stop = new AbortController()
    const reason = new Error('stopped')
    const outcome = send(stop.signal)
    await server.arrived(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    stop.abort(reason)
    expect(await outcome).toMatchObject({ kind: 'unknown', error: { cause: reason } })
  })

  test('the limit of the whole attempt', async () => {
    const clock = testClock()
    const { server, send } = await setup([neverAnswers], { clock, limits: { attemptMs: 300_000 } })
    const outcome = send()
    await server.arrived(1)
    await clock.advance(300_000)
    expect(await outcome).toMatchObject({ kind: 'unknown', error: { message: expect.stringContaining('ETIMEDOUT') } })
    expect(server.requests).toHaveLength(1)
  })
})

test.each([
  ['rejected', json({ message: `no ${KEY}` }, { status: 409 })],
  ['unknown', json({ message: `no ${KEY}` }, { status: 500 })],
  ['unknown', html(`<p>${KEY}`)],
  ['unknown', text(`no ${KEY}`)],
])('the key does not show when it comes back (%s)', async (kind, behaviour) => {
  const { send } = await setup([behaviour])
  const outcome = await send()
  expect(outcome.kind).toBe(kind)
  expect(everythingIn((outcome as { error: Error }).error)).not.toContain('prism_sk')
})

/** A chunked 202 that ends before its last chunk, with the connection closed in order. */
function chunked(body: string): string {
  const head = 'HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n'
  return `${head}${body.length.toString(16)}\r\n${body}\r\n`
}
