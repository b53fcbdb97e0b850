import { describe, expect, test } from 'vitest'
import { startEmulator } from '../helpers/emulator.ts'
import { message, post, request, sessionApi } from './api.ts'

/** Every page of a list, by following the cursors. */
async function pages(url: string): Promise<{ id: string }[][]> {
  const found: { id: string }[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await request(url + query)
    found.push(body.data)
    cursor = body.nextCursor
  }
  return found
}

describe('the history', () => {
  test('comes oldest first, 20 at a time unless a limit is given', async () => {
    const { url, control } = await startEmulator()
    for (let n = 0; n < 45; n++) control.emit('ses_demo', { type: 'session.note' })
    const all = control.events('ses_demo').map(({ envelope }) => envelope.id)
    for (const [query, sizes] of [
      ['?', [20, 20, 5]],
      ['?limit=15', [15, 15, 15]],
      ['?limit=100', [45]],
    ] as const) {
      const found = await pages(`${url}/v1/sessions/ses_demo/events${query}`)
      expect(found.map((page) => page.length)).toEqual(sizes)
      expect(found.flat().map(({ id }) => id)).toEqual(all)
    }
  })

  test('of a new session is empty', async () => {
    const { url } = await startEmulator()
    expect((await request(`${url}/v1/sessions/ses_demo/events`)).body).toEqual({ data: [], nextCursor: null })
  })

  test('what happens during a walk moves no page', async () => {
    const { url, control } = await startEmulator()
    for (let n = 0; n < 3; n++) control.emit('ses_demo', { type: 'session.note' })
    const first = (await request(`${url}/v1/sessions/ses_demo/events?limit=2`)).body
    control.emit('ses_demo', { type: 'session.note' })
    const rest = (await request(`${url}/v1/sessions/ses_demo/events?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.data, ...rest.data].map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
  })

  test.each(['limit=0', 'limit=101', 'limit=x', 'limit=', 'limit=1.5', 'cursor=nonsense'])(
    '%s is refused by name',
    async (query) => {
      const { url } = await startEmulator()
      for (const path of ['/v1/sessions', '/v1/sessions/ses_demo/events']) {
        const { status, body } = await request(`${url}${path}?${query}`)
        expect([status, body.error.code]).toEqual([400, 'invalid_request'])
        expect(body.error.message.startsWith(`${query.split('=')[0]}: `)).toBe(true)
      }
    },
  )
})

describe('sessions', () => {
  test('are created with what the body says, and have no history', async () => {
    const { url } = await startEmulator()
    const body = { userId: 'user_1', title: 'A film', metadata: { order: 7 } }
    const created = await post(`${url}/v1/agents/video-agent/sessions`, body)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: 'ses_000001',
      agentId: 'video-agent',
      agentVersion: 1,
      ...body,
      status: 'idle',
      createdAt: '2026-01-01T00:00:00.000Z',
    })
    const api = sessionApi(url, created.body.id)
    expect((await request(api.url)).body).toEqual(created.body)
    expect(await api.history()).toEqual([])
    expect((await api.send(message('go'))).status).toBe(202)
  })

  test.each(['', '{}'])('need no body: %j', async (body) => {
    const { url } = await startEmulator()
    const created = await post(`${url}/v1/agents/video-agent/sessions`, body)
    expect(created.body).toMatchObject({ userId: null, title: null, metadata: {} })
  })

  test('a field of the wrong kind is refused by name', async () => {
    const { url } = await startEmulator()
    const { status, body } = await post(`${url}/v1/agents/video-agent/sessions`, { title: 7 })
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    expect(body.error.message).toBe('title: expected string, received number')
  })

  test('are listed by agent, user and status', async () => {
    const scenario = `
agents: { a: [{ when: message, do: [{ call: { tool: t } }] }], b: [] }
sessions:
  - { id: one, agent: a, user: u }
  - { id: two, agent: a, user: v, message: go }
  - { id: three, agent: b, user: u }
`
    const { url } = await startEmulator({ scenario })
    const ids = async (query: string) =>
      (await request(`${url}/v1/sessions${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('')).toEqual(['one', 'two', 'three'])
    expect(await ids('?agentId=a')).toEqual(['one', 'two'])
    expect(await ids('?agentId=a&userId=u')).toEqual(['one'])
    expect(await ids('?status=idle')).toEqual(['one', 'three'])
    expect(await ids('?status=requires_action')).toEqual(['two'])
    expect(await ids('?agentId=none')).toEqual([])
  })

  test('are paged, the filter applied', async () => {
    const { url, control } = await startEmulator()
    for (let n = 0; n < 50; n++) control.createSession({ agentId: 'video-agent', userId: n % 2 ? 'odd' : 'even' })
    const found = await pages(`${url}/v1/sessions?userId=odd`)
    expect(found.map((page) => page.length)).toEqual([20, 5])
    expect(new Set(found.flat().map(({ id }) => id)).size).toBe(25)
  })

  test('a new id is none that the scenario has taken', async () => {
    const scenario = 'agents: { a: [] }\nsessions: [{ id: ses_000001, agent: a }]'
    const { url } = await startEmulator({ scenario })
    expect((await post(`${url}/v1/agents/a/sessions`, {})).body.id).toBe('ses_000002')
  })

  test('ids can be made otherwise', async () => {
    let n = 0
    const { url } = await startEmulator({ newId: (prefix) => `${prefix}_x${++n}` })
    expect((await post(`${url}/v1/agents/video-agent/sessions`, {})).body.id).toBe('ses_x1')
  })
})
