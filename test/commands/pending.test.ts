import { describe, expect, it, test } from 'vitest'
import { atSession } from '../helpers/at-session.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { type Behaviour, json } from '../helpers/scripted-server.ts'
import { type HistoryScript, page, scriptedSession } from '../helpers/scripted-session.ts'
import { event, result, timeAt } from '../protocol/session-log.ts'

const call = (sequence: number, payload: object) => event(sequence, 'agent.custom_tool_use', { ...payload })
const blocked = (sequence: number, ...ids: string[]) =>
  event(sequence, 'session.status_idle', { stop_reason: { type: 'requires_action', event_ids: ids } })
const history = [
  event(1, 'user.message', { content: [] }),
  call(2, { tool_use_id: 'call_1', name: 'render', input: { title: 'a film' } }),
  call(3, { tool_use_id: 'call_2', name: 'export', input: {} }),
  event(4, 'agent.approval_request', { tool_use_id: 'call_3', name: 'deploy', input: { to: 'prod' } }),
  call(5, { tool_use_id: 'call_4', name: 'done', input: {} }),
  blocked(6, 'call_1', 'call_2', 'call_3', 'call_4'),
  event(7, 'user.custom_tool_result', result('call_2', 'running', 'begun')),
  event(8, 'user.custom_tool_result', result('call_4', 'completed', 'done')),
]

/** A service whose clock says that so many seconds of 2026 have passed. */
async function start(events: HistoryScript, seconds = 122) {
  const dated: HistoryScript = (request) => {
    const listed = typeof events === 'function' ? events(request) : events
    const answer: Behaviour = 'run' in listed ? listed : page(listed)
    return {
      readsBody: true,
      run(exchange) {
        exchange.response.setHeader('date', new Date(Date.parse(timeAt(seconds))).toUTCString())
        return answer.run(exchange)
      },
    }
  }
  const server = await scriptedSession({ history: dated })
  return { server, ...atSession(server) }
}

it('lists what is owed, with the time that the service’s clock leaves', async () => {
  const { runHere: run } = await start(history)
  const end = await run(['pending', '--json'])
  expect(end).toMatchObject({ code: 0, stderr: '' })
  const record = { type: 'herm_tools.pending', session_id: 'session_1', seconds_left: null, result_event_id: null }
  expect(end.records()).toEqual([
    {
      ...record,
      tool_use_id: 'call_1',
      name: 'render',
      state: 'waiting',
      asked_at: timeAt(2),
      seconds_left: 180,
      input: { title: 'a film' },
    },
    {
      ...record,
      tool_use_id: 'call_2',
      name: 'export',
      state: 'running',
      asked_at: timeAt(3),
      result_event_id: 'evt_7',
      input: {},
    },
    {
      ...record,
      tool_use_id: 'call_3',
      name: 'deploy',
      state: 'awaiting_approval',
      asked_at: timeAt(4),
      input: { to: 'prod' },
    },
  ])
  expect((await run(['pending'])).stdout.split('\n')).toEqual([
    'waiting (3:00 left)  render  call_1  {"title":"a film"}',
    'running  export  call_2  {}',
    'awaiting approval  deploy  call_3  {"to":"prod"}',
    '',
  ])
})

it('says how long ago the time was up', async () => {
  const { runHere: run } = await start([call(1, { tool_use_id: 'call_1', name: 'render' })], 306)
  expect((await run(['pending'])).stdout).toBe('waiting (0:05 past its time)  render  call_1\n')
})

test.each([
  ['agent.custom_tool_use', 'id', { id: 'call_1', arguments: { p: 1 } }, 'call_1'],
  ['agent.custom_tool_use', 'the id of its event', { arguments: { p: 1 } }, 'evt_1'],
  ['agent.approval_request', 'id', { id: 'call_1', arguments: { p: 1 } }, 'call_1'],
  ['agent.approval_request', 'the id of its event', { input: { p: 1 } }, 'evt_1'],
])('knows the call of %s by %s, and its arguments', async (type, _name, payload, id) => {
  const { runHere: run } = await start([event(1, type, { name: 'render', ...payload })])
  expect((await run(['pending', '--json'])).records()).toMatchObject([
    { tool_use_id: id, name: 'render', input: { p: 1 } },
  ])
})

describe('nothing owed', () => {
  test.each([
    ['a new session', []],
    [
      'a call that was answered',
      [call(1, { id: 'a', name: 'x' }), event(2, 'user.custom_tool_result', result('a', 'failed', ''))],
    ],
  ])('%s: an empty list, and 0 also with --exit-code', async (_name, events) => {
    const { runHere: run } = await start(events)
    expect(await run(['pending', '--json', '--exit-code', '--quiet'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    })
    expect((await run(['pending'])).stderr).toBe('session session_1 has no call to answer, to approve or to finish\n')
  })
})

describe('a call whose turn went on', () => {
  const expired = [call(1, { id: 'a', name: 'x' }), blocked(2, 'a'), event(3, 'agent.message')]

  it('is owed nothing, and is told of with the command that lists it', async () => {
    const { runHere: run } = await start(expired)
    const end = await run(['pending', '--exit-code'])
    expect(end).toMatchObject({ code: 0, stdout: '' })
    expect(end.stderr.split('\n').slice(1)).toEqual([
      'expired calls that are not listed: 1; a final still reaches the agent: `herm-tools pending session_1 --expired` lists them',
      '',
    ])
  })

  it('is listed with --expired, behind what is owed, and does not count for --exit-code', async () => {
    const alone = await (await start(expired)).runHere(['pending', '--expired', '--exit-code', '--json'])
    expect(alone.code).toBe(0)
    expect(alone.records()).toMatchObject([{ tool_use_id: 'a', state: 'expired', seconds_left: null }])
    const { runHere: run } = await start([...expired, call(4, { id: 'b', name: 'y' }), blocked(5, 'b')])
    const both = await run(['pending', '--expired', '--exit-code'])
    expect(both.code).toBe(1)
    expect(both.stdout).toMatch(/^waiting .* {2}y {2}b\nexpired {2}x {2}a\n$/)
    expect(both.stderr).toMatch(/^error: 1 call/)
  })
})

it('exits 1 with --exit-code when there is something', async () => {
  const { runHere: run } = await start(history)
  const end = await run(['pending', '--exit-code', '--json'])
  expect(end.code).toBe(1)
  expect(end.records()).toHaveLength(3)
  expect(JSON.parse(end.stderr)).toMatchObject({
    type: 'herm_tools.error',
    exit_code: 1,
    message: '3 calls are not done',
  })
})

it('keeps escapes from the terminal, and exact in JSON', async () => {
  const evil = 'a\u001b[2J\u202eb\u009b31m\nc'
  const { runHere: run } = await start([call(1, { tool_use_id: evil, name: evil, input: { [evil]: evil } })])
  const { stdout } = await run(['pending'])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
  expect(stdout.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
  expect((await run(['pending', '--json'])).records()).toMatchObject([
    { tool_use_id: evil, name: evil, input: { [evil]: evil } },
  ])
})

it('remembers the calls, so that a result needs no session', async () => {
  const { url, clock, control } = await startEmulator()
  const { runHere: run } = atSession({ url, sessionId: 'ses_demo' })
  expect((await run(['message', '--text', 'a film'])).code).toBe(0)
  await clock.advance(1000)
  const [owed] = (await run(['pending', '--json'])).records()
  expect(owed).toMatchObject({ name: 'render_video', state: 'waiting', seconds_left: 299 })
  const noSession = { env: { HERM_SESSION: undefined } }
  const end = await run(['complete', '--tool-use-id', String(owed?.tool_use_id), '--text', 'done'], noSession)
  expect(end).toMatchObject({ code: 0 })
  expect(control.events('ses_demo').map(({ envelope }) => envelope.type)).toContain('user.custom_tool_result')
})

it('does not need the journal', async () => {
  const { runHere: run, home } = await start(history)
  home.writeConfig({ profiles: {} })
  const end = await run(['pending', '--json'], { env: { HERM_TOOLS_STATE_DIR: home.configPath } })
  expect(end.code).toBe(0)
  expect(end.records()).toHaveLength(3)
  expect(end.stderr).toContain('warning: the calls seen were not remembered')
})

it('a session that is not there is 5', async () => {
  const { runHere: run } = await start(() => json({ error: { code: 'not_found' } }, { status: 404 }))
  expect(await run(['pending'])).toMatchObject({ code: 5, stdout: '' })
})
