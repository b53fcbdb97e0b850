import { describe, expect, it, test } from 'vitest'
import { decodeEvent, type RawEvent } from '../../src/protocol/envelope.ts'
import { atSession } from '../helpers/at-session.ts'
import { type Behaviour, html, json, refusedPort } from '../helpers/scripted-server.ts'
import { type HistoryScript, page, scriptedSession } from '../helpers/scripted-session.ts'
import { event, result, timeAt } from '../protocol/session-log.ts'

const said = (sequence: number, text = 'hello') =>
  event(sequence, 'agent.message', { content: [{ type: 'text', text }] })

async function start(history: HistoryScript) {
  const server = await scriptedSession({ history })
  return { server, ...atSession(server) }
}

const linesOf = (text: string) => text.split('\n').filter(Boolean)

it('prints the history oldest first, as the service wrote it, whatever the order of its pages', async () => {
  const odd = (sequence: number) =>
    decodeEvent(
      String.raw`{"sequence": ${sequence},"payload":{"n":1.0,"big":12345678901234567890,"e":"\u00e9\/ü"},"type":"x","id":"evt_${sequence}"}`,
    ) as RawEvent
  const { runHere: run } = await start(({ url }) =>
    url.includes('cursor=a') ? page([odd(2), odd(1)], 'a') : page([odd(4), odd(3), odd(2)], 'a'),
  )
  const end = await run(['events', '--json'])
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(linesOf(end.stdout)).toEqual([1, 2, 3, 4].map((one) => odd(one).raw))
})

describe('of the history it prints', () => {
  const history = [
    said(1),
    event(2, 'agent.custom_tool_use', { id: 'call_a', name: 'render', arguments: { p: 1 } }),
    event(3, 'agent.custom_tool_use', { name: 'export' }, { id: 'call_b' }),
    event(4, 'user.custom_tool_result', result('call_a', 'running', 'begun')),
    event(5, 'user.custom_tool_result', result('call_b', 'failed', 'no')),
    said(6),
  ]

  test.each<[string[], number[]]>([
    [
      ['--since', 'start'],
      [1, 2, 3, 4, 5, 6],
    ],
    [
      ['--since', '4'],
      [5, 6],
    ],
    [['--since', 'now'], []],
    [
      ['--last', '2'],
      [5, 6],
    ],
    [['--last', '1', '--type', 'user.*'], [5]],
    [
      ['--type', 'agent.message', '--type', 'user.*'],
      [1, 4, 5, 6],
    ],
    [
      ['--tool', 'render'],
      [2, 4],
    ],
    [['--tool', 'export', '--since', '3'], [5]],
    [['session_1', '--last', '0'], []],
  ])('%j', async (args, expected) => {
    const end = await (await start(history)).runHere(['events', '--json', ...args])
    expect(end.code).toBe(0)
    expect(end.records().map(({ sequence }) => sequence)).toEqual(expected)
  })

  test('with a duration, what the service’s own clock says is younger', async () => {
    const dated: Behaviour = {
      readsBody: true,
      run(exchange) {
        exchange.response.setHeader('date', new Date(Date.parse(timeAt(64))).toUTCString())
        return page(history).run(exchange)
      },
    }
    const end = await (await start(() => dated)).runHere(['events', '--json', '--since', '59s500ms'])
    expect(end.records().map(({ sequence }) => sequence)).toEqual([5, 6])
  })
})

it('is a line an event for people, long and hostile texts notwithstanding', async () => {
  const { runHere: run } = await start([
    said(1, `one\ntwo\u001b[31m\u202e ${'x'.repeat(5000)}`),
    event(2, 'agent.custom_tool_use', { tool_use_id: 'call_a', name: 'render', input: { p: 1 } }),
    event(3, 'user.custom_tool_result', result('call_a', 'completed', 'done')),
    event(4, 'session.status_idle', { stop_reason: { type: 'error', message: 'broke' } }, { createdAt: 'no time' }),
  ])
  const end = await run(['events'])
  const lines = linesOf(end.stdout).map((line) => line.replace(/^\d\d:\d\d:\d\d/, 'TIME'))
  expect(lines).toEqual([
    `TIME    #1  agent  one two ${'x'.repeat(392)}…`,
    'TIME    #2  call  render call_a {"p":1}',
    'TIME    #3  completed  call_a  done',
    '--:--:--    #4  session: idle, the turn ended in an error: broke',
  ])
})

describe('a message in parts', () => {
  const part = (sequence: number) => event(sequence, 'agent.message', { delta: true, content: `part ${sequence}` })
  const history = [said(1), part(2), part(3), said(4, 'whole'), part(5)]

  it('is one line for people, and counts as one', async () => {
    const { runHere: run } = await start(history)
    const numbers = (text: string) => linesOf(text).map((line) => Number(/#(\d+)/.exec(line)?.[1]))
    expect(numbers((await run(['events'])).stdout)).toEqual([1, 4])
    expect(numbers((await run(['events', '--last', '2'])).stdout)).toEqual([1, 4])
    const { stdout } = await run(['watch', '--last', '2', '--timeout', '1s'])
    expect(numbers(stdout)).toEqual([1, 4])
  })

  it('is all that it is for a script', async () => {
    const { runHere: run } = await start(history)
    expect((await run(['events', '--json'])).records()).toHaveLength(5)
    expect(linesOf((await run(['events', '--last', '3', '--field', 'sequence'])).stdout)).toEqual(['3', '4', '5'])
    const { stdout } = await run(['watch', '--last', '2', '--json', '--timeout', '1s'])
    expect(linesOf(stdout)).toHaveLength(2)
  })
})

it('names whoever speaks, and says why something was denied', async () => {
  const denial = { tool_use_id: 'call_a', result: 'deny', deny_message: 'Not\ntoday.' }
  const { runHere: run } = await start([
    event(1, 'user.message', { content: 'Go.' }),
    event(2, 'user.steer', { message: 'Faster.' }),
    event(3, 'user.tool_confirmation', denial),
    event(4, 'user.tool_confirmation', { tool_use_id: 'call_b', result: 'deny' }),
    event(5, 'user.interrupt', { message: 'Stop.' }),
    event(6, 'user.interrupt'),
    event(7, 'session.error', { message: 'broke' }),
  ])
  const { stdout } = await run(['events'])
  expect(linesOf(stdout).map((line) => line.replace(/^\S+ +#\d {2}/, ''))).toEqual([
    'user  Go.',
    'steer  Faster.',
    'denied  call_a  Not today.',
    'denied  call_b',
    'interrupt  Stop.',
    'interrupt',
    'error  broke',
  ])
})

test.each<[string, Behaviour, number]>([
  ['401', json({ error: { code: 'unauthorized', message: 'no such key' } }, { status: 401 }), 4],
  ['404', json({ code: 'not_found', message: 'no such session' }, { status: 404 }), 5],
  ['a page', html('<html></html>'), 1],
  ['no list', json({ hello: 1 }), 1],
])('%s ends it at once', async (_name, answer, code) => {
  const { runHere: run, server } = await start(() => answer)
  const end = await run(['events', '--json'])
  expect(end).toMatchObject({ code, stdout: '' })
  expect(JSON.parse(end.stderr)).toMatchObject({ type: 'herm_tools.error', exit_code: code })
  expect(server.requests).toHaveLength(1)
})

it('without a service is 9', async () => {
  const { start } = atSession({ url: `http://127.0.0.1:${await refusedPort()}`, sessionId: 's' })
  const run = start(['events', '--debug'])
  await run.says(/ECONNREFUSED/, 'stderr')
  run.child.kill('SIGINT')
  expect((await run.ended).code).toBe(130)
})
