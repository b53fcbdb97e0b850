import { describe, expect, test, vi } from 'vitest'
import { type EventStreamOptions, openEventStream, type StreamItem } from '../../src/client/event-stream.ts'
import type { StreamFrame } from '../../src/client/stream-frames.ts'
import { HermError } from '../../src/errors.ts'
import {
  bytewise,
  eventStream,
  frame,
  html,
  json,
  liveStream,
  neverAnswers,
  rawBytes,
  redirect,
  refusedPort,
  type Script,
  scriptedServer,
  status,
  text,
  truncated,
} from '../helpers/scripted-server.ts'
import { testClock } from '../helpers/test-clock.ts'
import { caught, KEY, testHttp } from './test-http.ts'

const first = { id: 'evt_1', type: 'agent.message', sequence: 1, payload: { text: 'größer 👩‍🚀' } }
const eventStreamType = { 'content-type': 'text/event-stream' }
const rawHead = 'HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n'
const second = { id: 'evt_2', type: 'agent.message', sequence: 2, payload: {} }

async function setup(script: Script, options: Partial<EventStreamOptions> = {}) {
  const server = await scriptedServer(script)
  const clock = testClock()
  const http = testHttp(server.url, { clock })
  return { server, clock, http, stream: openEventStream({ http, sessionId: 's 1/x', ...options }) }
}

/** What the stream gives, each frame on its own. */
async function all(stream: AsyncIterable<StreamItem>): Promise<(StreamItem | StreamFrame)[]> {
  const items: (StreamItem | StreamFrame)[] = []
  for await (const item of stream) items.push(...(item.kind === 'frames' ? item.frames : [item]))
  return items
}

/** The items without `open` and `end`, an event as its envelope. */
async function framesOf(chunks: readonly (string | Uint8Array)[]): Promise<unknown[]> {
  const { stream } = await setup([eventStream(chunks)])
  const items = await all(stream)
  expect(items[0]).toEqual({ kind: 'open' })
  expect(items.at(-1)).toEqual({ kind: 'end', reason: 'closed' })
  return items.slice(1, -1).map((item) => (item.kind === 'event' ? item.event.envelope : item))
}

describe('one connection', () => {
  test('asks for the stream, and gives open, the events as they were written, and the end', async () => {
    const { server, stream } = await setup([eventStream([frame(first, 'f1'), `event: x\n${frame(second)}`])])
    expect(await all(stream)).toEqual([
      { kind: 'open' },
      { kind: 'event', event: { envelope: first, raw: JSON.stringify(first) } },
      { kind: 'id', id: 'f1' },
      { kind: 'event', event: { envelope: second, raw: JSON.stringify(second) } },
      { kind: 'end', reason: 'closed' },
    ])
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      url: '/v1/sessions/s%201%2Fx/events/stream',
      headers: { accept: 'text/event-stream', 'accept-encoding': 'identity', 'x-api-key': KEY },
    })
    expect(server.requests[0]?.headers).not.toHaveProperty('last-event-id')
  })

  test('a cut ends it as lost, with the cause', async () => {
    const live = liveStream()
    const { stream } = await setup([live.behaviour])
    expect(await stream.next()).toMatchObject({ value: { kind: 'open' } })
    live.send(frame(first))
    expect(await stream.next()).toMatchObject({ value: { kind: 'frames', frames: [{ kind: 'event' }] } })
    live.cut()
    const { value } = await stream.next()
    expect(value).toMatchObject({ kind: 'end', reason: 'lost', error: { kind: 'unreachable', passing: true } })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  test('204 says not to come back', async () => {
    const { stream } = await setup([status(204)])
    expect(await all(stream)).toEqual([{ kind: 'end', reason: 'no-content' }])
  })

  test.each([
    ['chunked', eventStream([frame(first)])],
    ['of a stated length', text(frame(first), { headers: eventStreamType })],
    ['without either, until the connection ends', rawBytes(`${rawHead}\r\n${frame(second)}`)],
  ])('a body that is %s', async (_name, behaviour) => {
    const { stream } = await setup([behaviour])
    expect((await all(stream)).map(({ kind }) => kind)).toEqual(['open', 'event', 'end'])
  })

  test('a body shorter than it was to be ends it as lost', async () => {
    const { stream } = await setup([truncated(`${frame(first)}data: {`, { headers: eventStreamType })])
    const items = await all(stream)
    expect(items.map(({ kind }) => kind)).toEqual(['open', 'event', 'end'])
    expect(items.at(-1)).toMatchObject({ reason: 'lost', error: { passing: true } })
  })

  test.each(['text/event-stream', 'text/event-stream;charset=utf-8', 'Text/Event-Stream ; charset=UTF-8; x=y'])(
    'a content type of %s',
    async (type) => {
      const { stream } = await setup([text(frame(first), { headers: { 'content-type': type } })])
      expect(await all(stream)).toHaveLength(3)
    },
  )

  test('a content type that is sent twice', async () => {
    const type = 'Content-Type: text/event-stream\r\n'
    const { stream } = await setup([rawBytes(`${rawHead}${type}\r\n${frame(first)}`)])
    expect(await all(stream)).toHaveLength(3)
  })
})

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])(
    '%i within the service is followed with Last-Event-ID and the key',
    async (code) => {
      const { server, stream } = await setup([redirect('/there', code), eventStream([])], { lastEventId: 'f1' })
      expect(await all(stream)).toHaveLength(2)
      expect(server.requests[1]).toMatchObject({ url: '/there', headers: { 'last-event-id': 'f1', 'x-api-key': KEY } })
    },
  )

  test.each([301, 302, 303, 307, 308])('%i to another origin is refused, and the key stays here', async (code) => {
    const other = await scriptedServer([eventStream([])])
    for (const location of [`${other.url}/there`, `//127.0.0.1:${other.port}/there`]) {
      const { server, stream } = await setup([redirect(location, code)])
      expect(await caught(all(stream))).toMatchObject({
        kind: 'failed',
        status: code,
        message: expect.stringContaining('not followed'),
      })
      expect(server.requests).toHaveLength(1)
    }
    expect(other.connections()).toBe(0)
  })

  test('to https on the same host and port is to another origin', async () => {
    const { server, stream } = await setup(({ headers }) => redirect(`https://${headers.host}/there`))
    expect(await caught(all(stream))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('(https), which is not followed'),
    })
    expect(server.connections()).toBe(1)
  })

  test.each([undefined, '', 'http://'])('without an address (%j) are an error', async (location) => {
    const { server, stream } = await setup([redirect(location)])
    expect(await caught(all(stream))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('names no address'),
    })
    expect(server.requests).toHaveLength(1)
  })

  test('in a circle end', async () => {
    const { server, stream } = await setup([redirect('/a'), redirect('/b'), redirect('/a'), redirect('/b')])
    expect(await caught(all(stream))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('more than 5 times'),
    })
    expect(server.requests).toHaveLength(6)
  })
})

describe('frames', () => {
  const severalLines = `data: ${JSON.stringify(first, null, 1).replaceAll('\n', '\ndata: ')}\n\n`
  const twoFrames = `${severalLines}${frame(second)}`

  test.each([
    ['LF', twoFrames],
    ['CRLF', twoFrames.replaceAll('\n', '\r\n')],
    ['CR', twoFrames.replaceAll('\n', '\r')],
  ])('with %s, in one piece and one byte at a time', async (_name, content) => {
    expect(await framesOf([content])).toEqual([first, second])
    expect(await framesOf(bytewise(content))).toEqual([first, second])
  })

  test('a frame that ends with CR is given before more comes', async () => {
    const live = liveStream()
    const { stream } = await setup([live.behaviour])
    await stream.next()
    live.send(frame(first).replaceAll('\n', '\r'))
    expect(await stream.next()).toMatchObject({ value: { frames: [{ kind: 'event', event: { envelope: first } }] } })
    await stream.return()
  })

  test('after a byte order mark, also when it is split', async () => {
    expect(await framesOf([`\ufeff${frame(first)}`])).toEqual([first])
    expect(await framesOf(bytewise(`\ufeff${frame(first)}`))).toEqual([first])
  })

  test('comments, unknown fields and a frame without its end are no events', async () => {
    expect(await framesOf([': hello\n\n:\n\nfoo: bar\nnonsense\n\n', frame(first), 'data: {"unfinished"'])).toEqual([
      first,
    ])
  })

  test('data over several lines', async () => {
    const pretty = JSON.stringify(first, null, 2)
    const { stream } = await setup([eventStream([`data: ${pretty.replaceAll('\n', '\ndata: ')}\n\n`])])
    const item = (await all(stream))[1]
    expect(item).toMatchObject({ kind: 'event', event: { envelope: first, raw: expect.not.stringContaining('\n') } })
  })

  test('data that is no envelope is passed on', async () => {
    expect(await framesOf(['event: ping\ndata: {}\n\n', 'data: not json\n\n', 'data:\n\n'])).toEqual([
      { kind: 'other', name: 'ping', data: '{}' },
      { kind: 'other', name: 'message', data: 'not json' },
      { kind: 'other', name: 'message', data: '' },
    ])
  })

  test('retry is passed on when it is a number', async () => {
    expect(await framesOf(['retry: 2500\nretry: soon\n\n'])).toEqual([{ kind: 'retry', ms: 2500 }])
  })

  test('thousands in a few chunks come quickly', async () => {
    const count = 20_000
    const chunk = frame(second).repeat(count / 10)
    const startedAt = performance.now()
    expect(await framesOf(Array.from({ length: 10 }, () => chunk))).toHaveLength(count)
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  test.each([
    ['a line without end', ['data: ', 'x'.repeat(600), 'x'.repeat(600)]],
    ['lines without an end of the frame', Array.from({ length: 200 }, () => 'data: xxxxxxxx\n')],
  ])('%s ends with an error', async (_name, chunks) => {
    const { stream } = await setup([eventStream(chunks, { finish: 'hold' })], { maxFrameChars: 1000 })
    const error = await caught(all(stream))
    expect(error).toMatchObject({ kind: 'failed', message: expect.stringContaining('longer than 1000 characters') })
  })
})

describe('what is no stream', () => {
  test('a refusal, with the service’s words', async () => {
    const { server, stream } = await setup([json({ error: { code: 'unauthorized', message: 'No.' } }, { status: 401 })])
    const error = await caught(all(stream))
    expect(error).toMatchObject({
      kind: 'auth',
      passing: false,
      message: expect.stringMatching(/401 unauthorized: No\.$/),
    })
    expect(server.requests).toHaveLength(1)
  })

  test.each([429, 503])('%i is passing, with Retry-After, and one attempt', async (code) => {
    const { server, stream } = await setup([status(code, { 'retry-after': '2' })])
    expect(await caught(all(stream))).toMatchObject({ status: code, passing: true, retryAfterMs: 2000 })
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ['a page', html('<p>Sign in</p>'), 'text/html'],
    ['JSON', json({ data: [] }), 'application/json'],
    ['nothing', status(200), 'no content type'],
    ['frames without a content type', text(frame(first)), 'no content type'],
    [
      'a type that only begins like it',
      text(frame(first), { headers: { 'content-type': 'text/event-stream-x' } }),
      'text/event-stream-x',
    ],
    [
      'compressed frames',
      text('', { headers: { ...eventStreamType, 'content-encoding': 'gzip' } }),
      'in the encoding gzip',
    ],
  ])('a 200 of %s', async (_name, behaviour, words) => {
    const { stream } = await setup([behaviour])
    expect(await caught(all(stream))).toMatchObject({ kind: 'failed', message: expect.stringContaining(words) })
  })

  test('a refused connection', async () => {
    const http = testHttp(`http://127.0.0.1:${await refusedPort()}`)
    const error = await caught(all(openEventStream({ http, sessionId: 's_1' })))
    expect(error).toMatchObject({ kind: 'unreachable', passing: true })
  })

  test('no answer in time', async () => {
    const server = await scriptedServer([neverAnswers])
    const http = testHttp(server.url, { limits: { headersMs: 50 } })
    const error = await caught(all(openEventStream({ http, sessionId: 's_1' })))
    expect(error).toMatchObject({ kind: 'unreachable', passing: true })
  })
})

describe('a quiet stream', () => {
  test('ends after the limit, and the connection with it', async () => {
    const live = liveStream()
    const { clock, stream } = await setup([live.behaviour])
    await stream.next()
    const end = stream.next()
    await clock.advance(44_999)
    const early = await Promise.race([end, Promise.resolve('still waiting')])
    expect(early).toBe('still waiting')
    await clock.advance(1)
    expect(await end).toMatchObject({ value: { kind: 'end', reason: 'quiet' } })
    await live.closed
    expect(await stream.next()).toMatchObject({ done: true })
    expect(clock.sleepers()).toBe(0)
  })

  test('is kept alive by a comment', async () => {
    const live = liveStream()
    const { clock, stream } = await setup([live.behaviour], { quietLimitMs: 1000 })
    await stream.next()
    const item = stream.next()
    await clock.advance(900)
    live.send(': still here\n\n')
    await new Promise((resolve) => setTimeout(resolve, 50))
    await clock.advance(900)
    live.send(frame(first))
    expect(await item).toMatchObject({ value: { kind: 'frames', frames: [{ kind: 'event' }] } })
    await stream.return()
  })

  test('is not what a busy reader makes of it', async () => {
    const live = liveStream()
    const { clock, stream } = await setup([live.behaviour], { quietLimitMs: 1000 })
    await stream.next()
    live.send(frame(first))
    await stream.next()
    await clock.advance(3000)
    live.send(frame(second))
    expect(await stream.next()).toMatchObject({ value: { frames: [{ kind: 'event', event: { envelope: second } }] } })
    await stream.return()
  })
})

describe('Last-Event-ID', () => {
  test.each([
    ['evt_1', 'evt_1'],
    ['a b:c', 'a b:c'],
    ['', undefined],
    ['line\nbreak', undefined],
    ['snow☃', undefined],
    ['é', undefined],
    ['\u0000', undefined],
    ['x'.repeat(1024), 'x'.repeat(1024)],
    ['x'.repeat(1025), undefined],
  ])('%j', async (lastEventId, expected) => {
    const { server, stream } = await setup([eventStream([])], { lastEventId })
    await all(stream)
    expect(server.requests[0]?.headers['last-event-id']).toBe(expected)
  })
})

describe('leaving closes the connection at once', () => {
  test('break', async () => {
    const live = liveStream()
    const { clock, stream } = await setup([live.behaviour])
    for await (const item of stream) if (item.kind === 'open') break
    await live.closed
    await vi.waitFor(() => expect(clock.sleepers()).toBe(0))
  })

  test('return while an item is awaited', async () => {
    const live = liveStream()
    const { stream } = await setup([live.behaviour])
    await stream.next()
    const pending = stream.next()
    await stream.return()
    expect(await pending).toEqual({ done: true, value: undefined })
    await live.closed
  })

  test('return while it is being opened', async () => {
    const { server, stream } = await setup([neverAnswers])
    const pending = stream.next()
    await server.arrived(1)
    await stream.return()
    expect(await pending).toEqual({ done: true, value: undefined })
  })

  test('an abort, whose reason is thrown', async () => {
    const live = liveStream()
    const stop = new AbortController()
    const { clock, stream } = await setup([live.behaviour], { signal: stop.signal })
    await stream.next()
    const reason = new HermError('interrupted', 'stopped')
    const error = caught(stream.next())
    stop.abort(reason)
    expect(await error).toBe(reason)
    await live.closed
    await vi.waitFor(() => expect(clock.sleepers()).toBe(0))
  })
})
