import { getEventListeners } from 'node:events'
import { describe, expect, it, test } from 'vitest'
import { HermError } from '../../src/errors.ts'
import { type FollowUpdate, follow } from '../../src/session/follow.ts'
import { testClient } from '../client/test-http.ts'
import {
  type Behaviour,
  cutAfterReading,
  eventStream,
  html,
  json,
  liveStream,
  neverAnswers,
  refusedPort,
  status,
  text,
} from '../helpers/scripted-server.ts'
import { frameOf, quietStream, type SessionScript, scriptedSession } from '../helpers/scripted-session.ts'
import { refusal, said } from '../helpers/session-events.ts'
import { testClock } from '../helpers/test-clock.ts'
import { event } from '../protocol/session-log.ts'
import { eventually, following, pause } from './following.ts'

const closes = eventStream([])

async function start(script: SessionScript) {
  const server = await scriptedSession(script)
  return { server, ...following(server) }
}

describe('a refusal that will not pass ends it at once, in the service’s words', () => {
  const refusals: [string, Behaviour, object][] = [
    ['401', refusal(401, 'unauthorized'), { kind: 'auth', message: expect.stringContaining('because unauthorized') }],
    ['403', refusal(403, 'forbidden'), { kind: 'auth', message: expect.stringContaining('because forbidden') }],
    ['400', refusal(400, 'bad_request'), { kind: 'rejected', message: expect.stringContaining('because bad_request') }],
    ['410', refusal(410, 'gone'), { kind: 'rejected', message: expect.stringContaining('because gone') }],
    ['404', refusal(404, 'not_found'), { kind: 'not_found', message: expect.stringContaining('because not_found') }],
    ['a page', html('<html>Log in</html>'), { kind: 'failed', message: expect.stringContaining('text/html') }],
    ['204', status(204), { kind: 'failed', message: expect.stringContaining('204') }],
  ]

  test.each(refusals)('%s, at first', async (_name, stream, expected) => {
    const { server, ended } = await start({ streams: [stream] })
    await expect(ended).rejects.toMatchObject(expected)
    expect(server.requests).toHaveLength(1)
  })

  test.each(refusals)('%s, later', async (_name, stream, expected) => {
    const { server, ended, passUntil } = await start({ streams: [closes, stream], history: [said(1)] })
    const error = ended.catch((one) => one)
    await passUntil(() => server.asked('stream').length === 2)
    expect(await error).toMatchObject(expected)
    expect(server.asked('stream')).toHaveLength(2)
  })

  test.each<[Behaviour, string]>([
    [json({ error: { code: 'gone', message: 'it went' } }, { status: 404 }), 'gone: it went'],
    [json({ code: 'gone', message: 'it went' }, { status: 404 }), 'gone: it went'],
    [json({ error: 'gone', message: 'it went' }, { status: 404 }), 'gone: it went'],
    [json({ error: { type: 'gone', message: 'it went' } }, { status: 404 }), 'gone: it went'],
    [text('it went', { status: 404 }), '404 it went'],
    [html('<h1>it went</h1>', { status: 404 }), 'answered with 404'],
    [status(404), 'answered with 404'],
  ])('however its body is made (%#)', async (stream, words) => {
    const { ended } = await start({ streams: [stream] })
    await expect(ended).rejects.toMatchObject({ kind: 'not_found', message: expect.stringContaining(words) })
  })

  test('of the history', async () => {
    const { server, ended } = await start({ history: () => refusal(403, 'forbidden') })
    await expect(ended).rejects.toMatchObject({ kind: 'auth' })
    expect(server.asked('history')).toHaveLength(1)
  })
})

describe('at the start', () => {
  it('says at once that there is no service', async () => {
    const url = `http://127.0.0.1:${await refusedPort()}`
    const { ended } = following({ url, sessionId: 's' })
    await expect(ended).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('tries again when the service is busy', async () => {
    const { passUntil, story } = await start({ streams: [refusal(503, 'busy'), refusal(429, 'slow'), quietStream] })
    await passUntil(() => story().includes('caught_up'))
    expect(story()).toEqual(['disconnected for 500', 'disconnected for 1000', 'caught_up'])
  })

  it('gives up when the service stays busy', async () => {
    const { server, ended, pass } = await start({ streams: [refusal(502, 'bad_gateway')] })
    const error = ended.catch((one) => one)
    await pass(20_000)
    expect(await error).toMatchObject({ kind: 'failed', status: 502 })
    expect(server.asked('stream').length).toBeLessThan(8)
  })
})

describe('an outage', () => {
  it('after hours in which only comments came is like any other', async () => {
    const live = liveStream()
    const { server, gave, passUntil, clock } = await start({
      streams: [live.behaviour, cutAfterReading, refusal(502, 'bad_gateway'), quietStream],
    })
    await gave('caught_up')
    for (let hours = 0; hours < 3; hours += 30 / 3600) {
      live.send(': still here\n\n')
      await pause(1)
      await clock.advance(30_000)
    }
    live.cut()
    await passUntil(() => server.asked('stream').length === 4)
    await gave('reconnected')
  })

  it('ends it when it lasts longer than a quarter of an hour, and not before', async () => {
    const { server, ended, gave, pass, clock } = await start({ streams: [closes, refusal(502, 'bad_gateway')] })
    let error: unknown
    ended.catch((one) => {
      error = one
    })
    await gave('disconnected')
    const startedAt = clock.now()
    await pass(14.5 * 60_000, 5000)
    expect(error).toBeUndefined()
    await pass(2 * 60_000, 5000)
    expect(error).toMatchObject({ kind: 'failed', status: 502 })
    expect(clock.now() - startedAt).toBeGreaterThan(15 * 60_000)
    expect(server.asked('stream').length).toBeLessThan(50)
  })

  it('of the history alone is one, too', async () => {
    let readings = 0
    const { gave, passUntil, sequences } = await start({
      streams: [closes, quietStream],
      history: () =>
        readings++ > 0 && readings < 9 ? refusal(502, 'bad_gateway') : readings === 1 ? [said(1)] : [said(1), said(2)],
    })
    await gave('caught_up')
    await passUntil(() => sequences().length === 2)
    expect(sequences()).toEqual([1, 2])
  })
})

describe('the pause before the next connection', () => {
  it('grows while streams are closed at once, so that there is no storm', async () => {
    const { server, pass } = await start({ streams: [closes], history: [said(1)] })
    await pass(10 * 60_000, 1000)
    const { length } = server.asked('stream')
    expect(length).toBeGreaterThan(10)
    expect(length).toBeLessThan(40)
  })

  it('grows also when the service replays everything each time', async () => {
    const replays = eventStream([frameOf(said(1)), frameOf(said(2))])
    const { server, pass, sequences } = await start({ streams: [replays], history: [said(1), said(2)] })
    await pass(5 * 60_000, 1000)
    expect(server.asked('stream').length).toBeLessThan(25)
    expect(sequences()).toEqual([1, 2])
  })

  it('is short again after a connection that brought something', async () => {
    const streams = [closes, closes, closes, eventStream([frameOf(said(1))]), quietStream]
    const { passUntil, story } = await start({ streams })
    await passUntil(() => story().filter((one) => one === 'caught_up').length === 5)
    expect(story().filter((one) => one.startsWith('disconnected'))).toEqual([
      'disconnected for 500',
      'disconnected for 1000',
      'disconnected for 2000',
      'disconnected for 500',
    ])
  })

  it.each([
    ['retry:', eventStream(['retry: 7000\n\n']), 'disconnected for 7000'],
    ['a retry: of a day is not', eventStream(['retry: 86400000\n\n']), 'disconnected for 60000'],
    ['a shorter retry: changes nothing', eventStream(['retry: 10\n\n']), 'disconnected for 500'],
  ])('is what %s asks for', async (_name, stream, expected) => {
    const { gave } = await start({ streams: [stream, quietStream] })
    await gave(expected)
  })

  it('is not shorter than Retry-After', async () => {
    const { passUntil, gave, story } = await start({
      streams: [closes, json({}, { status: 429, headers: { 'retry-after': '20' } }), quietStream],
    })
    await passUntil(() => story().some((one) => one === 'disconnected for 21000'))
    await passUntil(() => story().some((one) => one.startsWith('reconnected')))
    await gave('reconnected')
  })
})

describe('leaving it ends at once, with every connection closed', () => {
  const endless: Behaviour = { readsBody: true, run: () => {} }

  test.each<[string, SessionScript, (server: Awaited<ReturnType<typeof scriptedSession>>) => boolean]>([
    ['while it connects', { streams: [neverAnswers] }, (server) => server.requests.length === 1],
    ['while history is read', { history: () => endless }, (server) => server.asked('history').length === 1],
    ['in a quiet stream', {}, (server) => server.asked('history').length === 1],
    ['in a pause', { streams: [closes, quietStream] }, (server) => server.asked('history').length === 1],
  ])('%s', async (_name, script, isThere) => {
    const server = await scriptedSession(script)
    const clock = testClock()
    const source = follow({ client: testClient(server.url, { clock }), sessionId: 's', clock, random: () => 1 })
    const iterator = source[Symbol.asyncIterator]()
    const kinds: string[] = []
    const reading = (async () => {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        for (const update of next.value) kinds.push(update.kind)
      }
    })()
    await eventually(() => isThere(server))
    await pause(20)
    await iterator.return?.()
    await reading.catch(() => undefined)
    await eventually(() => clock.sleepers() === 0)
    await eventually(() => server.underWay() === 0)
  })

  test('by its own end, which leaves nothing in the signal either', async () => {
    const { passUntil, ended, stop, server } = await start({ streams: [closes, closes, status(204)] })
    const error = ended.catch((one) => one)
    await passUntil(() => server.asked('stream').length === 3)
    expect(await error).toMatchObject({ message: expect.stringContaining('204') })
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })

  test('by an abort, whose reason is thrown', async () => {
    const { gave, stop, ended, clock } = await start({})
    await gave('caught_up')
    const reason = new HermError('interrupted', 'Ctrl-C')
    stop.abort(reason)
    expect(await ended.catch((one) => one)).toBe(reason)
    await eventually(() => clock.sleepers() === 0)
  })
})

it('slows the network down when nobody reads', async () => {
  const filler = 'x'.repeat(16_000)
  let sentBytes = 0
  const firehose: Behaviour = {
    readsBody: true,
    async run({ response }) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let sequence = 1; !response.destroyed; sequence++) {
        const frame = frameOf(event(sequence, 'agent.message', { filler }))
        sentBytes += frame.length
        await new Promise<void>((resolve) => response.write(frame, () => resolve()))
      }
    },
  }
  const server = await scriptedSession({ streams: [firehose] })
  const clock = testClock()
  const source = follow({ client: testClient(server.url, { clock }), sessionId: 's', clock, random: () => 1 })
  const iterator = source[Symbol.asyncIterator]()
  await nextUpdates(iterator)
  let before = -1
  while (sentBytes !== before) {
    before = sentBytes
    await pause(150)
  }
  expect(sentBytes).toBeLessThan(40_000_000)
  expect((await nextUpdates(iterator))[0]).toMatchObject({ kind: expect.stringMatching(/event|caught_up/) })
  await iterator.return?.()
  await eventually(() => server.underWay() === 0)
})

/** The next batch in which there is something. */
async function nextUpdates(iterator: AsyncIterator<Iterable<FollowUpdate>>): Promise<FollowUpdate[]> {
  for (;;) {
    const updates = [...((await iterator.next()).value ?? [])]
    if (updates.length > 0) return updates
  }
}
