import { describe, expect, it, test } from 'vitest'
import { decodeEvent, type RawEvent } from '../../src/protocol/envelope.ts'
import { type Behaviour, bytewise, eventStream, json, liveStream, text } from '../helpers/scripted-server.ts'
import {
  frameOf,
  type HistoryScript,
  page,
  quietStream,
  type SessionScript,
  scriptedSession,
} from '../helpers/scripted-session.ts'
import { event, patchOf, result } from '../protocol/session-log.ts'
import { eventually, following } from './following.ts'

const said = (sequence: number) =>
  event(sequence, 'agent.message', { content: [{ type: 'text', text: 'größer 👩‍🚀' }] })
const kickoff = (sequence: number) => event(sequence, 'user.custom_tool_result', result('call_1', 'running', 'begun'))
const final = (sequence: number) => event(sequence, 'user.custom_tool_result', result('call_1', 'completed', 'done'))

async function start(script: SessionScript, options: Parameters<typeof following>[1] = {}) {
  const server = await scriptedSession(script)
  return { server, ...following(server, options) }
}

describe('history, and then live', () => {
  it('subscribes first, gives history, says so, and goes on with the stream', async () => {
    const live = liveStream()
    const { server, gave, story } = await start({ streams: [live.behaviour], history: [said(1), said(2)] })
    await gave('caught_up')
    live.send(frameOf(said(3)))
    await gave('3 agent.message')
    expect(story()).toEqual(['1 agent.message', '2 agent.message', 'caught_up', '3 agent.message'])
    expect(server.requests[0]?.url).toContain('/stream')
  })

  it('gives an event once that stream and history both tell, and none of the stream before history', async () => {
    const live = liveStream()
    let release = () => {}
    const readable = new Promise<void>((resolve) => {
      release = resolve
    })
    const slowHistory: Behaviour = {
      readsBody: true,
      run: async (exchange) => {
        await readable
        await page([said(1), said(2)]).run(exchange)
      },
    }
    const { server, gave, story } = await start({ streams: [live.behaviour], history: () => slowHistory })
    await eventually(() => server.asked('history').length > 0)
    live.send(frameOf(said(2)) + frameOf(said(3)))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(story()).toEqual([])
    release()
    await gave('caught_up')
    expect(story()).toEqual(['1 agent.message', '2 agent.message', '3 agent.message', 'caught_up'])
  })
})

describe('lists', () => {
  const five = [1, 2, 3, 4, 5].map(said)
  const of = (...sequences: number[]) => sequences.map((sequence) => five[sequence - 1] as RawEvent)
  const cursorOf = (url: string) => new URL(url, 'http://x').searchParams.get('cursor')
  /** Pages by cursor; the first under ''. */
  const paged =
    (pages: Record<string, Behaviour>): HistoryScript =>
    ({ url }) =>
      pages[cursorOf(url) ?? ''] ?? json({ error: { code: 'no_such_page' } }, { status: 400 })
  const listed = (...events: RawEvent[]) => events.map(({ envelope }) => envelope)

  test.each<[string, HistoryScript]>([
    ['pages, oldest first', paged({ '': page(of(1, 2), 'a'), a: page(of(3, 4), 'b'), b: page(of(5), '') })],
    ['pages, newest first', paged({ '': page(of(5, 4), 'a'), a: page(of(3, 2), 'b'), b: page(of(1)) })],
    [
      'pages in any order, which overlap',
      paged({ '': page(of(4, 1), 'a'), a: page(of(2, 5, 4), 'b'), b: page(of(3)) }),
    ],
    ['a cursor that comes round', paged({ '': page(of(1, 2), 'a'), a: page(of(3, 4), 'b'), b: page(of(5), 'a') })],
    ['a cursor that leads to itself', paged({ '': page(of(2, 1), 'a'), a: page(of(5, 4, 3), 'a') })],
    ['events', () => json({ events: listed(...five) })],
    ['next_cursor', paged({ '': json({ data: listed(...of(1, 2)), next_cursor: 'a' }), a: page(of(3, 4, 5)) })],
    ['nextPage', paged({ '': json({ data: listed(...of(1, 2)), nextPage: 'a' }), a: page(of(3, 4, 5)) })],
    ['a bare array', () => json(listed(...five))],
    ['no cursor at all', () => json({ data: listed(...five) })],
  ])('%s', async (_name, history) => {
    const { gave, sequences, stop, ended } = await start({ history })
    await gave('caught_up')
    expect(sequences()).toEqual([1, 2, 3, 4, 5])
    stop.abort(new Error('enough'))
    await expect(ended).rejects.toThrow('enough')
  })

  test('limit and cursor are asked for, and nothing else', async () => {
    const { server, gave } = await start({ history: paged({ '': page(of(1), 'a b&c'), 'a b&c': page(of(2)) }) })
    await gave('caught_up')
    const queries = server.asked('history').map(({ url }) => [...new URL(url, 'http://x').searchParams])
    expect(queries).toEqual([
      [['limit', '100']],
      [
        ['limit', '100'],
        ['cursor', 'a b&c'],
      ],
    ])
  })
})

describe('history that lags', () => {
  it('is looked at again, for an event that came just before the stream opened', async () => {
    let isListed = false
    const { gave, passUntil, sequences } = await start({
      history: () => (isListed ? [said(1), said(2)] : [said(1)]),
    })
    await gave('caught_up')
    isListed = true
    await passUntil(() => sequences().length === 2, { limitMs: 6000 })
    expect(sequences()).toEqual([1, 2])
  })

  it('holds a live event back until those before it are listed', async () => {
    const live = liveStream()
    let isListed = false
    const { gave, pass, passUntil, sequences, clock } = await start({
      streams: [live.behaviour],
      history: () => (isListed ? [said(1), said(2), said(3)] : [said(1)]),
    })
    await gave('caught_up')
    const startedAt = clock.now()
    live.send(frameOf(said(3)))
    await pass(2000)
    expect(sequences()).toEqual([1])
    isListed = true
    await passUntil(() => sequences().length === 3)
    expect(sequences()).toEqual([1, 2, 3])
    expect(clock.now() - startedAt).toBeLessThan(5000)
  })

  it('gives a live event after some seconds when the number before it is that of no event', async () => {
    const live = liveStream()
    const { gave, passUntil, sequences, clock } = await start({ streams: [live.behaviour], history: [said(1)] })
    await gave('caught_up')
    const startedAt = clock.now()
    live.send(frameOf(said(3)))
    await passUntil(() => sequences().length === 2)
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(5000)
    live.send(frameOf(said(7)))
    await eventually(() => sequences().length === 3)
    expect(sequences()).toEqual([1, 3, 7])
  })

  it('gives an event that was missing in the middle of the first list when it is there', async () => {
    let isListed = false
    const { gave, passUntil, sequences } = await start({
      history: () => (isListed ? [said(1), said(2), said(3)] : [said(1), said(3)]),
    })
    await gave('caught_up')
    expect(sequences()).toEqual([1, 3])
    isListed = true
    await passUntil(() => sequences().length === 3)
    expect(sequences()).toEqual([1, 3, 2])
  })
})

describe('frames', () => {
  const strange = [
    ': comment\n\n',
    'event: ping\ndata: {}\n\n',
    'data: not json\n\n',
    'data: [1]\n\n',
    'event: session.novelty\nid: n1\ndata: {"type":"session.novelty","payload":{},"sequence":2,"id":"evt_2","new":1}\n\n',
    'foo: bar\n\n',
    frameOf(said(3)),
  ].join('')

  test.each([
    ['in one piece', [strange]],
    ['byte by byte', bytewise(strange)],
    ['with CRLF, byte by byte', bytewise(strange.replaceAll('\n', '\r\n'))],
    ['with CR', [strange.replaceAll('\n', '\r')]],
  ])('of any kind are passed on, %s', async (_name, chunks) => {
    const { gave, story } = await start({ streams: [eventStream(chunks, { finish: 'hold' })], history: [said(1)] })
    await gave('3 agent.message')
    await gave('other message \\[1\\]')
    expect(story().filter((one) => !one.startsWith('caught'))).toEqual(
      expect.arrayContaining(['other ping {}', 'other message not json', 'other message [1]']),
    )
    expect(story().filter((one) => /^\d/.test(one))).toEqual([
      '1 agent.message',
      '2 session.novelty',
      '3 agent.message',
    ])
  })

  test('keep the service’s own text', async () => {
    const raw = String.raw`{"sequence":2,"payload":{"n":1.0,"big":12345678901234567890,"e":"\u00e9\/","2":0,"1":0},"type":"x.y","id":"evt_2"}`
    const { gave, updates } = await start({
      streams: [eventStream([`data: ${raw.replace('"payload"', '\ndata: "payload"')}\n\n`], { finish: 'hold' })],
      history: [decodeEvent(raw.replace('"sequence":2', '"sequence":1').replace('evt_2', 'evt_1')) as RawEvent],
    })
    await gave('2 x.y')
    const texts = updates.flatMap((one) => ('event' in one ? one.event.raw : []))
    expect(texts).toEqual([raw.replace('"sequence":2', '"sequence":1').replace('evt_2', 'evt_1'), raw])
  })

  test('without id and sequence never move the place, and are told once', async () => {
    const live = liveStream()
    const { gave, place, story } = await start({ streams: [live.behaviour], history: [kickoff(1)] })
    await gave('caught_up')
    expect(place()).toMatchObject({ sequence: 1, runningResults: ['evt_1'], oldest: { sequence: 1, id: 'evt_1' } })
    const patch = patchOf(final(1))
    live.send(frameOf(patch) + frameOf(patch))
    live.send(`data: ${JSON.stringify({ ...patch.envelope, sequence: 900, payload: { novelty: true } })}\n\n`)
    await gave('900')
    expect(story().filter((one) => one === 'session.tool_updated')).toHaveLength(1)
    expect(place()).toMatchObject({ sequence: 1, runningResults: [] })
  })
})

describe('through disconnects', () => {
  const script = (second: readonly string[], more: Partial<SessionScript> = {}): SessionScript => ({
    streams: [eventStream([frameOf(said(2)), frameOf(said(3))]), eventStream(second, { finish: 'hold' })],
    ...more,
  })
  /** Lists 1 at first, and later all. */
  function growing(): HistoryScript {
    let readings = 0
    return () => (readings++ === 0 ? [said(1)] : [1, 2, 3, 4, 5].map(said))
  }

  test.each<[string, readonly string[]]>([
    ['which ignores Last-Event-ID', []],
    ['which replays from it', [4, 5].map((one) => frameOf(said(one)))],
    ['which replays everything', [1, 2, 3, 4, 5].map((one) => frameOf(said(one)))],
    ['which replays in disorder', [5, 2, 4].map((one) => frameOf(said(one)))],
  ])('each event comes once and in order from a service %s', async (_name, second) => {
    const { server, passUntil, sequences, story } = await start(script(second, { history: growing() }))
    await passUntil(() => story().some((one) => one.startsWith('reconnected')))
    await passUntil(() => sequences().length === 5)
    expect(sequences()).toEqual([1, 2, 3, 4, 5])
    expect(story()).toContain('reconnected after closed, 2 recovered')
    expect(server.asked('stream').map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'evt_3'])
  })

  test.each<[name: string, frames: string, lastEventId: string | undefined]>([
    ['of a frame without data', `${frameOf(said(1))}id: later\n\n`, 'later'],
    ['of data that is no envelope', `${frameOf(said(1))}id: later\ndata: pong\n\n`, 'later'],
    ['of an event, frames without one after it', `${frameOf(said(1))}data: pong\n\n: hello\n\n`, 'evt_1'],
    ['of an event, an unfinished frame after it', `${frameOf(said(1))}id: later\ndata: po`, 'evt_1'],
    ['that was taken back', `${frameOf(said(1))}id:\n\n`, undefined],
  ])('asks to go on from the id %s', async (_name, frames, lastEventId) => {
    const { server, passUntil } = await start({ streams: [eventStream([frames]), quietStream] })
    await passUntil(() => server.asked('stream').length === 2)
    expect(server.asked('stream')[1]?.headers['last-event-id']).toBe(lastEventId)
  })

  it('says when, why and for how long it was away, over several attempts', async () => {
    const refuses = json({ error: { code: 'busy' } }, { status: 503 })
    const { passUntil, updates, clock } = await start({ streams: [eventStream([]), refuses, refuses, quietStream] })
    await passUntil(() => updates.some((one) => one.kind === 'disconnected'))
    const lostAt = clock.now()
    await passUntil(() => updates.some((one) => one.kind === 'reconnected'))
    const reconnected = updates.find((one) => one.kind === 'reconnected')
    const pauses = updates.flatMap((one) => (one.kind === 'disconnected' ? one.pauseMs : []))
    expect(pauses).toEqual([500, 1000, 2000])
    expect(reconnected).toMatchObject({ reason: 'closed', afterSequence: undefined, recovered: 0 })
    expect(reconnected).toHaveProperty('downMs', expect.closeTo(clock.now() - lostAt, -3))
  })

  it('tells of a result that was completed meanwhile once', async () => {
    let isDone = false
    const first = liveStream()
    const second = liveStream()
    const { gave, passUntil, story } = await start({
      streams: [first.behaviour, second.behaviour, quietStream],
      history: () => (isDone ? [final(1), said(2)] : [kickoff(1)]),
    })
    await gave('caught_up')
    isDone = true
    first.cut()
    await passUntil(() => story().filter((one) => one === 'caught_up').length === 2)
    second.cut()
    await passUntil(() => story().filter((one) => one === 'caught_up').length === 3)
    expect(story().filter((one) => !/caught|connected/.test(one))).toEqual([
      '1 user.custom_tool_result running',
      'result_updated 1 user.custom_tool_result completed',
      '2 agent.message',
    ])
    expect(story()).toContain('reconnected after lost, 2 recovered')
  })

  it('does not tell of a result again that a frame has told', async () => {
    let isDone = false
    const first = liveStream()
    const { gave, passUntil, story } = await start({
      streams: [first.behaviour, quietStream],
      history: () => (isDone ? [final(1)] : [kickoff(1)]),
    })
    await gave('caught_up')
    isDone = true
    first.send(frameOf(patchOf(final(1))))
    await gave('session.tool_updated')
    first.cut()
    await passUntil(() => story().filter((one) => one === 'caught_up').length === 2)
    expect(story().join()).not.toContain('result_updated')
  })

  it('goes on from a place: what is older is known, what was replaced since is told', async () => {
    const { gave, story, place } = await start(
      { history: [said(3), final(2), said(1), said(4)] },
      { after: { sequence: 3, runningResults: ['evt_2'] } },
    )
    await gave('caught_up')
    expect(story()).toEqual([
      'known 1 agent.message',
      'known 2 user.custom_tool_result completed',
      'known 3 agent.message',
      'result_updated 2 user.custom_tool_result completed',
      '4 agent.message',
      'caught_up',
    ])
    expect(place()).toMatchObject({ sequence: 4, runningResults: [], oldest: { sequence: 1, id: 'evt_1' } })
  })
})

describe('a quiet stream', () => {
  it('is asked about after the quiet limit, and connected to again, without a word about it', async () => {
    const { server, gave, passUntil, story, clock } = await start({ session: 'idle' })
    await gave('caught_up')
    const startedAt = clock.now()
    await passUntil(() => server.asked('stream').length === 2, { stepMs: 1000 })
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(44_000)
    expect(server.asked('session')).toHaveLength(1)
    await gave('reconnected after quiet, 0 recovered')
    expect(story().join()).not.toContain('disconnected')
  })

  it('is no failure, however long it lasts', async () => {
    const { server, gave, pass, story, ended } = await start({ session: 'idle' })
    let isOver = false
    ended.catch(() => {
      isOver = true
    })
    await gave('caught_up')
    await pass(60 * 60_000, 5000)
    expect(isOver).toBe(false)
    expect(story().join()).not.toContain('disconnected')
    expect(server.asked('stream').length).toBeGreaterThan(60)
  })

  it('of a session that is gone ends it', async () => {
    const gone = json({ error: { code: 'session_deleted', message: 'it was deleted' } }, { status: 404 })
    const { gave, passUntil, ended, server } = await start({ session: gone })
    const error = ended.catch((one) => one)
    await gave('caught_up')
    await passUntil(() => server.asked('session').length === 1, { stepMs: 5000 })
    expect(await error).toMatchObject({ kind: 'not_found', message: expect.stringContaining('it was deleted') })
  })
})

it('takes no text for an event stream', async () => {
  const { ended } = await start({ streams: [text('hello', { headers: { 'content-type': 'text/plain' } })] })
  await expect(ended).rejects.toMatchObject({ kind: 'failed', message: expect.stringContaining('text/plain') })
})
