import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { faultKinds } from '../../src/emulator/fault-kinds.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { type Answered, message, request, result, sessionApi } from './api.ts'
import { isUnanswered, type Seen, see, seeSent } from './exchange.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const CALL = 'custom_toolu_000001'
/** An agent without rules: a message makes a turn that ends at once. */
const QUIET = 'agents: { a: [] }\nsessions: [{ id: ses_demo, agent: a }]'

async function start(...faults: string[]) {
  const emulator = await startEmulator({ faults, scenario: QUIET })
  return {
    ...emulator,
    send: (text = 'hello') => seeSent(emulator.url, message(text)),
    /** How many messages the emulator stored. */
    stored: () => emulator.control.events('ses_demo').filter(({ envelope }) => envelope.type === 'user.message').length,
  }
}

const answered = (seen: Seen | 'cut'): Seen => {
  if (seen === 'cut') throw new Error('the connection was cut')
  return seen
}

test('the documentation lists every fault, in the same order, and no other', () => {
  const rows = readFileSync('docs/emulator.md', 'utf8').matchAll(/^\| `([a-z-]+)(?:=[A-Z]+)?` \|/gm)
  const documented = [...rows].map(([, name]) => name).filter((name) => /-/.test(name ?? ''))
  expect(documented).toEqual(Object.keys(faultKinds))
})

describe('before acceptance', () => {
  test('post-cut: the connection is closed, and nothing is stored', async () => {
    const { send, stored, control } = await start('post-cut,count=1')
    expect(await send()).toBe('cut')
    expect(stored()).toBe(0)
    expect(await send()).toMatchObject({ status: 202, isWhole: true })
    expect(stored()).toBe(1)
    expect(control.stats()).toMatchObject({ accepted: 1, faults: { 'post-cut': 1 } })
  })

  test.each([
    ['post-refused=500', 500, 'internal_server_error'],
    ['post-refused=503', 503, 'service_unavailable'],
    ['post-refused=429', 429, 'too_many_requests'],
  ])('%s: the answer is %i, and nothing is stored', async (fault, status, code) => {
    const { send, stored, control } = await start(fault)
    const seen = answered(await send())
    expect([seen.status, JSON.parse(seen.text).error.code]).toEqual([status, code])
    expect(seen.headers.has('retry-after')).toBe(false)
    expect(stored()).toBe(0)
    expect(control.stats()).toMatchObject({ accepted: 0, refused: {} })
  })

  test.each([
    ['post-limited=2500ms', '3'],
    ['post-limited-until=2500ms', 'Thu, 01 Jan 2026 00:00:03 GMT'],
  ])('%s: the answer is 429 with Retry-After: %s', async (fault, retryAfter) => {
    const { send, stored } = await start(fault)
    const seen = answered(await send())
    expect([seen.status, seen.headers.get('retry-after')]).toEqual([429, retryAfter])
    expect(stored()).toBe(0)
  })

  test('post-late: the connection is closed at once, and the event is accepted later', async () => {
    const { send, stored, clock, control } = await start('post-late=2s,count=1')
    expect(await send()).toBe('cut')
    await clock.advance(1_999)
    expect(stored()).toBe(0)
    await clock.advance(1)
    expect(stored()).toBe(1)
    expect(control.stats().accepted).toBe(1)
  })

  test('an event that would come late is lost when the emulator closes', async () => {
    const { send, stored, clock, close } = await start('post-late=2s')
    await send()
    await close()
    await clock.advance(5_000)
    expect([stored(), clock.sleepers()]).toEqual([0, 0])
  })

  test('other requests are left alone', async () => {
    const { url } = await start('post-cut')
    expect((await request(`${url}/v1/sessions/ses_demo/events`)).status).toBe(200)
    expect(await see(`${url}/v1/agents/a/sessions`, { method: 'POST' })).toMatchObject({ status: 201 })
  })
})

describe('after acceptance', () => {
  const faults: [string, (seen: Seen | 'cut') => void][] = [
    ['accepted-cut', (seen) => expect(seen).toBe('cut')],
    ['accepted-error=500', (seen) => expect(seen).toMatchObject({ status: 500, isWhole: true })],
    ['accepted-error=504', (seen) => expect(seen).toMatchObject({ status: 504, isWhole: true })],
    ['accepted-empty', (seen) => expect(seen).toMatchObject({ status: 202, text: '', isWhole: true })],
    [
      'accepted-truncated',
      (seen) => expect(seen).toMatchObject({ status: 202, text: expect.stringMatching(/^\{"ev/), isWhole: false }),
    ],
    [
      'accepted-garbled',
      (seen) => {
        expect(seen).toMatchObject({ status: 202, text: expect.stringMatching(/^\{"events":\[/), isWhole: true })
        expect(() => JSON.parse(answered(seen).text)).toThrow(SyntaxError)
      },
    ],
  ]

  test.each(faults)('%s: the event is stored, whatever the client sees', async (fault, check) => {
    const { send, stored, control } = await start(`${fault},count=1`)
    check(await send())
    expect(stored()).toBe(1)
    expect(await send()).toMatchObject({ status: 202, isWhole: true })
    expect(control.stats()).toMatchObject({ accepted: 2, faults: { [fault.split('=')[0] as string]: 1 } })
  })

  test('accepted-unanswered: the event is stored, and no answer ever comes', async () => {
    const { send, stored, clock, close } = await start('accepted-unanswered,count=1')
    const seen = send()
    await expect.poll(stored).toBe(1)
    await clock.advance(3_600_000)
    expect(await isUnanswered(seen)).toBe(true)
    await close()
    expect(await seen).toBe('cut')
  })

  test('what was refused by right has no chance of a fault', async () => {
    const { url, control } = await startEmulator({ faults: ['accepted-cut'] })
    const api = sessionApi(url)
    expect(await seeSent(url, message('go'))).toBe('cut')
    expect((await api.send(message('again'))).status).toBe(409)
    expect(control.faults().faults).toEqual([{ fault: 'accepted-cut', chances: 1, fired: 1 }])
    expect(control.stats().refused).toEqual({ invalid_state: 1 })
  })
})

describe('histories', () => {
  test.each([
    ['history-error=502', { status: 502 }],
    ['history-cut', 'cut'],
  ])('%s spoils the list, and no other request', async (fault, expected) => {
    const { url, send } = await start(`${fault},count=1`)
    expect(await send()).toMatchObject({ status: 202 })
    expect(await see(`${url}/v1/sessions`)).toMatchObject({ status: 200 })
    const list = await see(`${url}/v1/sessions/ses_demo/events`)
    if (typeof expected === 'string') expect(list).toBe(expected)
    else expect(list).toMatchObject(expected)
    expect((await sessionApi(url).history()).length).toBe(3)
  })

  test('history-lag: an event is listed so much later, while the stream tells it at once', async () => {
    const { url, send, clock } = await start('history-lag=2s')
    const api = sessionApi(url)
    const stream = await api.stream()
    await send('first')
    await clock.advance(500)
    await send('second')
    await expect.poll(() => stream.frames.length).toBe(6)
    await clock.advance(1_499)
    expect(await api.history()).toEqual([])
    await clock.advance(1)
    expect((await api.history()).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    await clock.advance(500)
    expect(await api.history()).toEqual(stream.frames.map(({ data }) => data))
  })

  test('history-lag: what a final replaced stays in the list until the final is listed', async () => {
    const { url, clock } = await startEmulator({ faults: ['history-lag=2s'] })
    const api = sessionApi(url)
    const statuses = async () =>
      (await api.history())
        .filter(({ type }) => type === 'user.custom_tool_result')
        .map(({ payload }) => payload.status)
    await api.send(message('go'))
    await api.send(result(CALL, 'running'))
    await clock.advance(5_000)
    expect((await api.send(result(CALL, 'completed'))).status).toBe(202)
    expect(await statuses()).toEqual(['running'])
    await clock.advance(2_000)
    expect(await statuses()).toEqual(['completed'])
  })

  test('history-newest-first: the pages begin with the latest event', async () => {
    const { url, send } = await start('history-newest-first')
    await send()
    const first = await request(`${url}/v1/sessions/ses_demo/events?limit=2`)
    const second = await request(`${url}/v1/sessions/ses_demo/events?limit=2&cursor=${first.body.nextCursor}`)
    expect([sequences(first), sequences(second)]).toEqual([[3, 2], [1]])
    expect(second.body.nextCursor).toBeNull()
  })

  test('history-loop: the last page leads to the first', async () => {
    const { url, send } = await start('history-loop')
    await send()
    const pages: number[][] = []
    let cursor = ''
    for (let page = 0; page < 4; page++) {
      const list = await request(`${url}/v1/sessions/ses_demo/events?limit=2&cursor=${cursor}`)
      pages.push(sequences(list))
      cursor = list.body.nextCursor
    }
    expect(pages).toEqual([[1, 2], [3], [1, 2], [3]])
  })

  test('views of a history add up', async () => {
    const { url, send, clock } = await start('history-newest-first', 'history-lag=1s', 'history-loop')
    await send()
    await clock.advance(1_000)
    await send()
    const list = await request(`${url}/v1/sessions/ses_demo/events`)
    expect([sequences(list), list.body.nextCursor]).toEqual([[3, 2, 1], expect.any(String)])
  })
})

describe('all requests', () => {
  test('key-revoked: every endpoint is 401, and what was asked for is not done', async () => {
    const { url, send, stored } = await start('key-revoked,after=1')
    expect(await send()).toMatchObject({ status: 202 })
    for (const path of ['/v1/sessions', '/v1/sessions/ses_demo', '/v1/sessions/ses_demo/events/stream', '/nowhere']) {
      const { status, body } = await request(url + path)
      expect([status, body.error.code]).toEqual([401, 'unauthorized'])
    }
    expect(await send()).toMatchObject({ status: 401 })
    expect(stored()).toBe(1)
  })

  test('slow-request: nothing is done with a request until later', async () => {
    const { send, stored, clock } = await start('slow-request=2s')
    const seen = send()
    await expect.poll(() => clock.sleepers()).toBe(1)
    await clock.advance(1_999)
    expect(stored()).toBe(0)
    await clock.advance(1)
    expect(await seen).toMatchObject({ status: 202 })
    expect(stored()).toBe(1)
  })

  test('slow-answer: a request is done at once, and answered later', async () => {
    const { send, stored, clock } = await start('slow-answer=2s')
    const seen = send()
    await expect.poll(stored).toBe(1)
    await clock.advance(1_999)
    expect(await isUnanswered(seen)).toBe(true)
    await clock.advance(1)
    expect(await seen).toMatchObject({ status: 202 })
  })

  test.each(['slow-request=1h', 'slow-answer=1h'])(
    '%s holds many requests, and closing lets them go',
    async (fault) => {
      const { send, clock, close } = await start(fault)
      const warnings: Error[] = []
      const onWarning = (warning: Error) => warnings.push(warning)
      process.on('warning', onWarning)
      onTestFinished(() => void process.off('warning', onWarning))
      const seen = Array.from({ length: 20 }, () => send())
      await expect.poll(() => clock.sleepers()).toBe(20)
      await close()
      expect(await Promise.all(seen)).toEqual(Array(20).fill('cut'))
      expect([clock.sleepers(), warnings]).toEqual([0, []])
    },
  )

  test.each([
    ['90s', 90_000],
    ['-1.5h', -5_400_000],
  ])('clock-skew=%s: the Date of every answer is wrong by that', async (skew, ms) => {
    const { url } = await start(`clock-skew=${skew}`)
    const date = new Date(START + ms).toUTCString()
    for (const path of ['/v1/sessions', '/nowhere']) expect((await request(url + path)).headers.get('date')).toBe(date)
    expect((await sessionApi(url).stream()).response.headers.get('date')).toBe(date)
  })
})

function sequences({ body }: Answered): number[] {
  return body.data.map(({ sequence }: { sequence: number }) => sequence)
}
