import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atScriptedSession } from '../helpers/at-session.ts'
import { errorOf } from '../helpers/delivery-stage.ts'
import { json } from '../helpers/scripted-server.ts'
import { idle } from '../helpers/session-events.ts'
import { event } from '../protocol/session-log.ts'

describe('an id never reaches another address', () => {
  test.each([
    ['../agents/a', '/v1/sessions/..%2Fagents%2Fa'],
    ['..%2f..', '/v1/sessions/..%252f..'],
    ['%2e%2e', '/v1/sessions/%252e%252e'],
    ['a?limit=1#b', '/v1/sessions/a%3Flimit%3D1%23b'],
    ['a\\..\\b', '/v1/sessions/a%5C..%5Cb'],
    ['a\r\nx-evil: 1', '/v1/sessions/a%0D%0Ax-evil%3A%201'],
    ['//evil.example', '/v1/sessions/%2F%2Fevil.example'],
    ['...', '/v1/sessions/...'],
  ])('%j', async (id, path) => {
    const { runHere: run, server } = await atScriptedSession()
    await run(['sessions', 'get', id])
    expect(server.requests.map(({ url }) => url)).toEqual([path])
  })

  test.each(['..', '.', ''])('%j is refused, whoever gives it', async (id) => {
    const { runHere: run, server, home } = await atScriptedSession()
    const commands = [
      ['sessions', 'get', id],
      ['events', id],
      ['watch', id],
      ['message', id, '--text', 'x'],
      ['sessions', 'create', '--agent', id],
      ['complete', '--session', id, '--tool-use-id', 'call_1', '--text', 'x'],
    ]
    for (const args of commands) expect(await run([...args, '--json'])).toMatchObject({ code: 2, stdout: '' })
    home.writeConfig({ profiles: { default: { session: id === '' ? '\ud800' : id } } })
    const end = await run(['pending', '--json'], { env: { HERM_SESSION: undefined } })
    expect(end.code).toBe(2)
    expect(errorOf(end).hint).toMatch(/\S/)
    expect(server.requests).toEqual([])
  })
})

/** Each would be trouble as a file name somewhere. */
const IDS = [
  '../../evil',
  '/etc/passwd',
  'a\u0000b',
  'x'.repeat(300),
  `${'x'.repeat(299)}y`,
  'CON',
  'con',
  'nul.txt',
  'Call_1',
  'call_1',
  'call_1 ',
  'call_1.',
  '.',
  '..',
  'é',
  'e\u0301',
  '\ud800',
  'a:b*?"<>|',
]

test('an id never becomes a path, and no two of them one file', async () => {
  const calls = IDS.map((id, index) => event(index + 1, 'agent.custom_tool_use', { tool_use_id: id, name: 'render' }))
  const { runHere: run, home } = await atScriptedSession({
    history: [...calls, idle(99, { type: 'requires_action', event_ids: IDS })],
    session: json({ id: 's' }),
  })
  const pending = await run(['pending', '--json'])
  expect(pending.stderr).toBe('')
  expect(pending.records().map((one) => one.tool_use_id)).toEqual(IDS)
  expect(new Set((await run(['jobs', 'list', '--json'])).records().map((job) => job.tool_use_id))).toEqual(new Set(IDS))
  const files = readdirSync(join(home.stateDir, 'journal'))
  expect(files).toHaveLength(IDS.length)
  expect(new Set(files.map((name) => name.toLowerCase())).size).toBe(files.length)
  for (const name of files) expect(name).toMatch(/^[\w-]{1,120}\.json$/)
  expect(readdirSync(home.stateDir).sort()).toEqual(['journal', 'locks'])
  expect(readdirSync(home.folder).sort()).toEqual(['state'])
  const answer = ['running', '--tool-use-id', '../../evil', '--text', 'x', '--settle', '100ms', '--no-resend']
  expect((await run(answer)).code).toBe(6)
  expect(readdirSync(join(home.stateDir, 'journal'))).toHaveLength(files.length)
  expect(readdirSync(home.folder).sort()).toEqual(['state'])
})
