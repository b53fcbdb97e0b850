import { chmodSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startTool } from '../helpers/run-tool.ts'
import {
  cutAfterReading,
  json,
  neverAnswers,
  type RecordedRequest,
  scriptedServer,
  status,
  text,
} from '../helpers/scripted-server.ts'
import { type ToolHome, toolHome } from '../helpers/tool-home.ts'

const session = {
  id: 'ses_1',
  agentId: 'agent_1',
  userId: 'user_1',
  title: 'A film',
  status: 'idle',
  createdAt: '2026-01-01T00:00:00Z',
}

function at(home: ToolHome, url: string) {
  return (args: readonly string[], env = {}) => home.runHere(args, { env: { HERM_BASE_URL: url, ...env } })
}

/** Three pages of one session each; the last says whatever `last` says about going on. */
function paged(last: string | null) {
  return ({ url }: RecordedRequest) => {
    const cursor = new URL(url, 'http://localhost').searchParams.get('cursor')
    const page = cursor === null ? 1 : Number(cursor.slice(1))
    return json({ data: [{ ...session, id: `ses_${page}` }], nextCursor: page < 3 ? `c${page + 1}` : last })
  }
}

it('list is a table, wide characters and escapes in titles notwithstanding', async () => {
  const page = json(
    {
      data: [
        { ...session, title: '映画\u001b[2J を作る' },
        { id: 'ses_22', title: 'x'.repeat(60), status: null, createdAt: 'long ago' },
      ],
      nextCursor: null,
    },
    // Ages are told by the clock of the service, whatever that of this machine says.
    { headers: { date: 'Thu, 01 Jan 2026 00:03:30 GMT' } },
  )
  const server = await scriptedServer([page])
  const end = await at(toolHome(), server.url)(['sessions', 'list'])
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(end.stdout.split('\n')).toEqual([
    'ID      AGENT    STATUS  CREATED    TITLE',
    'ses_1   agent_1  idle    3 min ago  映画 を作る',
    `ses_22  -        -       long ago   ${'x'.repeat(39)}…`,
    '',
  ])
})

it("list --json prints the service's own text, on one line each", async () => {
  const first = '{"id":"ses_1","n":1.0,"big":12345678901234567890,"t":"\\u00e9"}'
  const server = await scriptedServer([text(`{"data":[${first},\n  {"id":\n"ses_2"}]}`)])
  const end = await at(toolHome(), server.url)(['sessions', 'list', '--json'])
  expect(end).toMatchObject({ code: 0, stdout: `${first}\n{"id":"ses_2"}\n`, stderr: '' })
})

it('list sends its filters, and nothing that was not asked for', async () => {
  const server = await scriptedServer([json({ data: [], nextCursor: null })])
  const run = at(toolHome(), server.url)
  await run(['sessions', 'list'])
  const filters = ['--agent', 'a&b', '--user', 'u', '--status', 'idle', '--limit', '5', '--cursor', 'c=']
  const end = await run(['sessions', 'list', ...filters], { HERM_SESSION: 'ses_9' })
  expect(end).toMatchObject({ code: 0, stdout: '', stderr: 'no such sessions\n' })
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/v1/sessions',
    '/v1/sessions?agentId=a%26b&userId=u&status=idle&cursor=c%3D&limit=5',
  ])
})

it('list does not take the agent of the profile for a filter', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { agent: 'agent_1' } } })
  const server = await scriptedServer([json({ data: [] })])
  await at(home, server.url)(['sessions', 'list'])
  expect(server.requests[0]?.url).toBe('/v1/sessions')
})

it('list shows one page and says how to go on', async () => {
  const server = await scriptedServer(paged(null))
  const end = await at(toolHome(), server.url)(['sessions', 'list', '--json'])
  expect(end.records().map(({ id }) => id)).toEqual(['ses_1'])
  expect(end.stderr).toBe('there are more: go on with --cursor c2, or take --all\n')
})

it.each([
  ['a last page', null],
  ['a cursor that comes round again', 'c2'],
])('list --all walks the pages up to %s', async (_name, last) => {
  const server = await scriptedServer(paged(last))
  const end = await at(toolHome(), server.url)(['sessions', 'list', '--all'])
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(end.stdout.match(/^ses_\d/gm)).toEqual(['ses_1', 'ses_2', 'ses_3'])
  expect(server.requests.map(({ url }) => new URL(url, server.url).searchParams.get('limit'))).toEqual(
    Array(server.requests.length).fill('100'),
  )
})

it('list --all prints each page as it comes', async () => {
  const pages = paged(null)
  const server = await scriptedServer((request) => (request.url.includes('cursor=c3') ? neverAnswers : pages(request)))
  const home = toolHome()
  const run = startTool(['sessions', 'list', '--all'], { env: { ...home.env, HERM_BASE_URL: server.url } })
  await run.says(/^ses_2/m)
  run.child.kill('SIGINT')
  expect(await run.ended).toMatchObject({ code: 130 })
})

it('get shows the session that argument, environment or profile names', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { session: 'ses_profile' } } })
  const server = await scriptedServer([json({ ...session, metadata: { job: 7 } })])
  const run = at(home, server.url)
  const end = await run(['sessions', 'get', 'ses/1'])
  await run(['sessions', 'get'], { HERM_SESSION: 'ses_env' })
  await run(['sessions', 'get'])
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/v1/sessions/ses%2F1',
    '/v1/sessions/ses_env',
    '/v1/sessions/ses_profile',
  ])
  expect(end.stdout.split('\n')).toEqual([
    'id        ses_1',
    'agent     agent_1',
    'user      user_1',
    'title     A film',
    'status    idle',
    'created   2026-01-01T00:00:00Z',
    'metadata  {"job":7}',
    '',
  ])
})

it('get --json prints the text of the service', async () => {
  const server = await scriptedServer([text('{"id":"ses_1",\n "n":1.0}')])
  const end = await at(toolHome(), server.url)(['sessions', 'get', 'ses_1', '--json'])
  expect(end).toMatchObject({ code: 0, stdout: '{"id":"ses_1","n":1.0}\n', stderr: '' })
})

it.each([
  [404, 5],
  [401, 4],
  [400, 7],
])('get answers %i with exit code %i and the words of the service', async (answer, code) => {
  const server = await scriptedServer([json({ error: { code: 'some_code', message: 'words' } }, { status: answer })])
  const end = await at(toolHome(), server.url)(['sessions', 'get', 'ses_1', '--json'])
  expect(end).toMatchObject({ code, stdout: '' })
  expect(JSON.parse(end.stderr)).toMatchObject({
    type: 'herm_tools.error',
    code: 'some_code',
    message: expect.stringContaining('words'),
    exit_code: code,
  })
})

it('get without a session is wrong usage, and asks nobody', async () => {
  const server = await scriptedServer([json(session)])
  const end = await at(toolHome(), server.url)(['sessions', 'get'])
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toContain('HERM_SESSION')
  expect(server.requests).toEqual([])
})

it('works with a key in the environment and a home that it may not write to, and leaves nothing there', async () => {
  const home = toolHome()
  chmodSync(home.folder, 0o500)
  const server = await scriptedServer([json(session)])
  const end = await at(home, server.url)(['sessions', 'get', 'ses_1'], { PRISM_API_KEY: 'prism-secret-abcd' })
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(server.requests[0]?.headers['x-api-key']).toBe('prism-secret-abcd')
  expect(readdirSync(home.folder)).toEqual([])
})

it('create posts what was given once, and prints the session', async () => {
  const server = await scriptedServer([json(session, { status: 201 })])
  const args = [
    '--agent',
    'agent/1',
    '--title',
    'A "film"',
    '--user',
    'user_1',
    '--metadata',
    'a=1',
    '--metadata',
    'b=',
  ]
  const end = await at(toolHome(), server.url)(['sessions', 'create', ...args, '--json'])
  expect(end).toMatchObject({ code: 0, stdout: `${JSON.stringify(session)}\n`, stderr: '' })
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/agents/agent%2F1/sessions' })
  expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
    title: 'A "film"',
    userId: 'user_1',
    metadata: { a: '1', b: '' },
  })
})

it('create takes the agent of the profile, and an empty body when nothing else is given', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { agent: 'agent_1' } } })
  const server = await scriptedServer([json(session, { status: 201 })])
  expect(await at(home, server.url)(['sessions', 'create'])).toMatchObject({ code: 0 })
  expect(server.requests[0]).toMatchObject({ url: '/v1/agents/agent_1/sessions', body: '{}' })
})

it('create without an agent is wrong usage, and asks nobody', async () => {
  const server = await scriptedServer([json(session)])
  const end = await at(toolHome(), server.url)(['sessions', 'create'])
  expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining('--agent') })
  expect(server.requests).toEqual([])
})

it('create gives the refusal of the service', async () => {
  const refusal = json({ error: { code: 'invalid_request', message: 'title too long' } }, { status: 422 })
  const server = await scriptedServer([refusal])
  const end = await at(toolHome(), server.url)(['sessions', 'create', '--agent', 'a'])
  expect(end).toMatchObject({ code: 7, stdout: '', stderr: expect.stringContaining('title too long') })
})

it.each([
  ['a cut connection', cutAfterReading],
  ['a 502', status(502)],
  ['an answer that is no session', text('done', { status: 201 })],
])('create does not know the outcome after %s, does not send again, and says how to look', async (_name, answer) => {
  const server = await scriptedServer([answer])
  const end = await at(toolHome(), server.url)(['sessions', 'create', '--agent', 'agent_1'])
  expect(end).toMatchObject({ code: 6, stdout: '' })
  expect(end.stderr).toContain('herm-tools sessions list --agent agent_1')
  expect(server.requests).toHaveLength(1)
})

it('create says what may be left when it is interrupted before the answer', async () => {
  const home = toolHome()
  const server = await scriptedServer([neverAnswers])
  const run = startTool(['sessions', 'create', '--agent', 'agent_1'], {
    env: { ...home.env, HERM_BASE_URL: server.url },
  })
  await server.arrived(1)
  run.child.kill('SIGINT')
  const end = await run.ended
  expect(end).toMatchObject({ code: 130, stdout: '' })
  expect(end.stderr).toContain('a session may have been created')
})
