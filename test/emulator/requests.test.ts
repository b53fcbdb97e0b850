import { describe, expect, test } from 'vitest'
import { startEmulator } from '../helpers/emulator.ts'
import { message, post, request, result, sessionApi } from './api.ts'

describe('the key', () => {
  test('is not asked for when none was configured', async () => {
    const { url } = await startEmulator()
    expect((await request(`${url}/v1/sessions`)).status).toBe(200)
  })

  test.each([{}, { 'x-api-key': 'wrong' }])(
    'is required on every path when one was configured: %j',
    async (headers) => {
      const { url } = await startEmulator({ apiKey: 'the-secret' })
      for (const path of ['/v1/sessions', '/v1/sessions/ses_demo', '/v1/sessions/ses_demo/events', '/nowhere']) {
        const answer = await request(`${url}${path}`, { headers })
        expect(answer.status).toBe(401)
        expect(answer.body.error.code).toBe('unauthorized')
      }
      expect((await request(`${url}/v1/sessions`, { headers: { 'x-api-key': 'the-secret' } })).status).toBe(200)
    },
  )
})

describe('requests that fit no endpoint', () => {
  test.each(['/', '/v1', '/v1/sessions/', '/v1/sessions/ses_demo/event', '/v1/agents/video-agent'])(
    '%s is 404',
    async (path) => {
      const { url } = await startEmulator()
      const answer = await request(url + path)
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
    },
  )

  test.each([
    ['DELETE', '/v1/sessions/ses_demo/events', 'POST, GET'],
    ['POST', '/v1/sessions/ses_demo/events/stream', 'GET'],
    ['POST', '/v1/sessions', 'GET'],
    ['PUT', '/v1/agents/video-agent/sessions', 'POST'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allowed) => {
    const { url } = await startEmulator()
    const answer = await request(url + path, { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
    expect(answer.body.error.code).toBe('method_not_allowed')
  })

  test('an unknown session or agent is 404', async () => {
    const { url } = await startEmulator()
    const answers = await Promise.all([
      request(`${url}/v1/sessions/ses_none`),
      request(`${url}/v1/sessions/ses_none/events`),
      request(`${url}/v1/sessions/ses_none/events/stream`),
      post(`${url}/v1/sessions/ses_none/events`, { events: [message('hello')] }),
      post(`${url}/v1/agents/nobody/sessions`, {}),
    ])
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(Array(5).fill([404, 'not_found']))
  })

  test('a badly encoded id is 400', async () => {
    const { url } = await startEmulator()
    expect((await request(`${url}/v1/sessions/%ZZ`)).status).toBe(400)
  })
})

describe('bodies', () => {
  test.each(['', '{', 'null', '[]', '{"events":{}}', '{"events":[]}'])('%j is refused', async (body) => {
    const { url } = await startEmulator()
    const answer = await post(`${url}/v1/sessions/ses_demo/events`, body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
  })

  test('bytes that are not UTF-8 are refused', async () => {
    const { url } = await startEmulator()
    const answer = await request(`${url}/v1/sessions/ses_demo/events`, {
      method: 'POST',
      body: Buffer.from([0x22, 0xff, 0x22]),
    })
    expect([answer.status, answer.body.error.message]).toEqual([400, 'the body is not UTF-8'])
  })

  test('the largest content that the protocol allows fits, escaped', async () => {
    const { url, control } = await startEmulator()
    const content = JSON.stringify([{ type: 'text', text: 'PLACE' }])
      .repeat(1)
      .replace('PLACE', '\\u00e9'.repeat(20_000))
    const blocks = Array(100).fill(content.slice(1, -1)).join(',')
    const answer = await post(
      `${url}/v1/sessions/ses_demo/events`,
      `{"events":[{"type":"user.message","content":[${blocks}]}]}`,
    )
    expect(answer.status).toBe(202)
    expect(control.events('ses_demo')).not.toHaveLength(0)
  })

  test('a body of more than 16 MiB is 413', async () => {
    const { url, control } = await startEmulator()
    const answer = await post(`${url}/v1/sessions/ses_demo/events`, 'x'.repeat(16 * 1024 * 1024 + 1))
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large'])
    expect(control.events('ses_demo')).toEqual([])
  })
})

describe('events that are refused', () => {
  const good = result('custom_toolu_000001', 'completed')
  const block = { type: 'text', text: 'x' }
  const cases: [string, unknown, string][] = [
    ['no object', 'user.message', 'events[0].type'],
    ['an unknown type', { type: 'user.shout' }, 'events[0].type'],
    ['a type of the service', { type: 'agent.message' }, 'events[0].type'],
    ['a type that every object has', { type: 'constructor' }, 'events[0].type'],
    ['no content', { type: 'user.message' }, 'events[0].content'],
    ['an empty content', { ...good, content: [] }, 'events[0].content'],
    ['101 blocks', { ...good, content: Array(101).fill(block) }, 'events[0].content'],
    [
      'a block that is no text',
      { ...good, content: [block, { type: 'image', text: 'x' }] },
      'events[0].content[1].type',
    ],
    ['an empty text', { ...good, content: [{ type: 'text', text: '' }] }, 'events[0].content[0].text'],
    [
      '20,001 characters',
      { ...good, content: [{ type: 'text', text: 'x'.repeat(20_001) }] },
      'events[0].content[0].text',
    ],
    ['no tool_use_id', { ...good, tool_use_id: undefined }, 'events[0].tool_use_id'],
    ['an unknown status', { ...good, status: 'done' }, 'events[0].status'],
    ['no status', { ...good, status: undefined }, 'events[0].status'],
    ['no is_error', { ...good, is_error: undefined }, 'events[0].is_error'],
    ['is_error on completed', { ...good, is_error: true }, 'events[0].is_error'],
    ['failed without is_error', { ...good, status: 'failed', is_error: false }, 'events[0].is_error'],
    ['delivery on a final', { ...good, delivery: 'when_idle' }, 'events[0].delivery'],
    ['an unknown answer', { type: 'user.tool_confirmation', tool_use_id: 'x', result: 'maybe' }, 'events[0].result'],
    ['a steer without a message', { type: 'user.steer' }, 'events[0].message'],
  ]

  test.each(cases)('%s', async (_name, event, place) => {
    const { url, control } = await startEmulator()
    const { status, body } = await sessionApi(url).send(event)
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    expect(body.error.message).toMatch(new RegExp(`^${place.replace(/[[\].]/g, '\\$&')}: \\S`))
    expect(control.events('ses_demo')).toEqual([])
  })

  test('one bad event keeps all of the request out', async () => {
    const { url, control } = await startEmulator()
    const { status, body } = await sessionApi(url).send(message('hello'), { ...good, status: 'done' })
    expect(status).toBe(400)
    expect(body.error.message).toMatch(/^events\[1]\.status: /)
    expect(control.events('ses_demo')).toEqual([])
  })

  test('two messages in one request', async () => {
    const { url, control } = await startEmulator()
    const { status, body } = await sessionApi(url).send(message('one'), message('two'))
    expect([status, body.error.message]).toEqual([400, 'events: only one user.message is allowed in a request'])
    expect(control.events('ses_demo')).toEqual([])
  })
})

test('exactly 100 blocks of 20,000 characters, and fields that nobody knows, are accepted', async () => {
  const { url } = await startEmulator()
  const content = Array(100).fill({ type: 'text', text: 'x'.repeat(20_000) })
  const { status, body } = await sessionApi(url).send({ type: 'user.message', content, note: 'kept' })
  expect(status).toBe(202)
  expect(body.events[0].payload.note).toBe('kept')
})

test('answers carry the date of the clock', async () => {
  const { url } = await startEmulator()
  expect((await request(`${url}/v1/sessions`)).headers.get('date')).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
})

test('the log tells one line for each request: events and tool ids, but no key and no query', async () => {
  const lines: string[] = []
  const { url } = await startEmulator({ apiKey: 'the-secret', log: (line) => lines.push(line) })
  const headers = { 'x-api-key': 'the-secret' }
  await post(`${url}/v1/sessions/ses_demo/events`, { events: [message('go')] }, headers)
  await post(`${url}/v1/sessions/ses_demo/events`, { events: [result('custom_toolu_000001', 'running')] }, headers)
  await post(`${url}/v1/sessions/ses_demo/events`, { events: [result('\u001b[2Jx', 'running')] }, headers)
  await request(`${url}/v1/sessions?cursor=the-secret`)
  expect(lines).toEqual([
    'POST /v1/sessions/ses_demo/events 202 0ms user.message',
    'POST /v1/sessions/ses_demo/events 202 0ms user.custom_tool_result:running custom_toolu_000001',
    'POST /v1/sessions/ses_demo/events 409 0ms user.custom_tool_result:running [2Jx',
    'GET /v1/sessions 401 0ms',
  ])
})
