import { describe, expect, test } from 'vitest'
import { json, type Script, scriptedServer, status } from '../helpers/scripted-server.ts'
import { caught, testClient } from './test-http.ts'

async function setup(script: Script) {
  const server = await scriptedServer(script)
  return { server, client: testClient(server.url) }
}

function event(id: string) {
  return { id, type: 'agent.message', payload: {} }
}

describe('listEvents', () => {
  async function ids(script: Script) {
    const { server, client } = await setup(script)
    const pages: (string | undefined)[][] = []
    for await (const page of client.listEvents('s/1')) pages.push(page.map(({ envelope }) => envelope.id))
    return { pages, urls: server.requests.map(({ url }) => url) }
  }

  test('walks the pages by their cursor', async () => {
    const { pages, urls } = await ids([
      json({ data: [event('e1'), event('e2')], nextCursor: 'a&b' }),
      json({ data: [], nextCursor: 'c' }),
      json({ data: [event('e3')], nextCursor: null }),
    ])
    expect(pages).toEqual([['e1', 'e2'], [], ['e3']])
    expect(urls).toEqual([
      '/v1/sessions/s%2F1/events?limit=100',
      '/v1/sessions/s%2F1/events?limit=100&cursor=a%26b',
      '/v1/sessions/s%2F1/events?limit=100&cursor=c',
    ])
  })

  test('ends when a cursor comes round again', async () => {
    const { pages } = await ids([
      json({ data: [event('e1')], nextCursor: 'a' }),
      json({ data: [event('e2')], nextCursor: 'b' }),
      json({ data: [event('e3')], nextCursor: 'a' }),
    ])
    expect(pages).toEqual([['e1'], ['e2'], ['e3']])
  })

  test('ends on an empty page with its own cursor', async () => {
    const { pages } = await ids([json({ data: [event('e1')], nextCursor: 'a' }), json({ data: [], nextCursor: 'a' })])
    expect(pages).toEqual([['e1'], []])
  })

  test('retries a page, not the walk', async () => {
    const { pages, urls } = await ids([
      json({ data: [event('e1')], nextCursor: 'a' }),
      status(502),
      json({ data: [event('e2')] }),
    ])
    expect(pages).toEqual([['e1'], ['e2']])
    expect(urls).toHaveLength(3)
  })

  test('says that a session is not there', async () => {
    const { client } = await setup([status(404)])
    const walk = client.listEvents('nope')[Symbol.asyncIterator]()
    expect(await caught(walk.next())).toMatchObject({ kind: 'not_found' })
  })
})

describe('postEvents', () => {
  test('gives the accepted events as they were written', async () => {
    const { server, client } = await setup([json({ events: [event('e1')] }, { status: 202 })])
    expect(await client.postEvents('s/1', [{ type: 'user.message' }])).toEqual({
      kind: 'accepted',
      status: 202,
      events: [{ envelope: event('e1'), raw: JSON.stringify(event('e1')) }],
    })
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/sessions/s%2F1/events',
      body: '{"events":[{"type":"user.message"}]}',
    })
  })

  test('an empty 202 is accepted without events', async () => {
    const { client } = await setup([status(202)])
    expect(await client.postEvents('s_1', [])).toEqual({ kind: 'accepted', status: 202, events: [] })
  })
})

describe('sessions', () => {
  const session = { id: 's_1', agentId: 'agt_1', status: 'idle', extra: 1 }

  test('one', async () => {
    const { server, client } = await setup([json(session)])
    expect(await client.getSession('s/1')).toEqual({ session, raw: JSON.stringify(session) })
    expect(server.requests[0]?.url).toBe('/v1/sessions/s%2F1')
  })

  test('a page of them, with the filters that were given', async () => {
    const { server, client } = await setup([json({ data: [session], nextCursor: 'n' })])
    const page = await client.listSessions({ agentId: 'agt_1', status: undefined, limit: 5, cursor: 'c=' })
    expect(page.nextCursor).toBe('n')
    expect(page.sessions.map((one) => one.session.id)).toEqual(['s_1'])
    expect(server.requests[0]?.url).toBe('/v1/sessions?agentId=agt_1&cursor=c%3D&limit=5')
  })

  test('a new one', async () => {
    const { server, client } = await setup([json(session, { status: 201 })])
    expect(await client.createSession('agt/1', { title: 't' })).toMatchObject({
      kind: 'accepted',
      status: 201,
      session,
    })
    expect(server.requests[0]).toMatchObject({ url: '/v1/agents/agt%2F1/sessions', body: '{"title":"t"}' })
  })

  test('a new one whose answer is no session is unknown', async () => {
    const { client } = await setup([json({}, { status: 201 })])
    expect(await client.createSession('agt_1', {})).toMatchObject({ kind: 'unknown' })
  })
})

test('stream opens the events of a session', async () => {
  const { server, client } = await setup([status(204)])
  for await (const item of client.stream('s_1')) expect(item).toEqual({ kind: 'end', reason: 'no-content' })
  expect(server.requests[0]?.url).toBe('/v1/sessions/s_1/events/stream')
})
