import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RawEvent } from '../../src/protocol/envelope.ts'
import { atSession } from '../helpers/at-session.ts'
import type { ToolEnd } from '../helpers/run-tool.ts'
import { type Behaviour, eventStream, json, scriptedServer } from '../helpers/scripted-server.ts'
import { frameOf, page } from '../helpers/scripted-session.ts'
import { event } from '../protocol/session-log.ts'

/** A title, a cleared screen, a question to the terminal, blinking, a link, what hides and turns text, and a forged line. */
const ATTACKS = [
  '\u001b]0;pwned\u0007',
  '\u001b[2J\u001b[1;1H',
  '\u009b6n\u0090q\u009c',
  '\u001b[5mblink',
  '\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\',
  '\u202eesrever\u2066\u200f\u061c',
  'zero\u200bwidth\u2060\ufeff\u00ad\u{e0041}x\u200dy\ufe0f',
  'back\b\b\bspace\r\u000b\u000c\u007f\u0085',
  'line\u2028par\u2029end',
  '\nerror: forged\nhint: run this\n',
]
const attack = ATTACKS.join(' ')
const ID = `id${attack.replace(/\s/g, '')}`
const SESSION = 'ses_1'

const events: RawEvent[] = [
  event(1, 'user.message', { content: [{ type: 'text', text: attack }] }, { id: ID }),
  event(2, 'agent.message', { content: [{ type: 'text', text: attack }], delta: attack }),
  event(3, `later${attack}`, { [attack]: attack, message: attack }),
  event(4, 'session.error', { message: attack }),
  event(5, 'agent.approval_request', { tool_use_id: `${ID}1`, name: attack, input: { [attack]: attack } }),
  event(6, 'agent.custom_tool_use', { tool_use_id: ID, name: attack, input: { [attack]: attack } }),
  event(7, 'user.custom_tool_result', { tool_use_id: ID, status: 'running', content: attack }, { id: `${ID}7` }),
  event(8, 'user.tool_confirmation', { tool_use_id: `${ID}2`, result: attack }),
]
const blockedOn = event(9, 'session.status_idle', { stop_reason: { type: 'requires_action', event_ids: [ID, attack] } })
const endedBadly = event(9, 'session.status_idle', { stop_reason: { type: 'error', message: attack } })
const frames = `${frameOf(event(10, `live${attack}`, { text: attack }))}event: name${attack.replace(/\s/g, '')}\ndata: ${attack.replace(/[\r\n\u2028\u2029]/g, '')}\n\n`

const session = {
  id: ID,
  agentId: attack,
  userId: attack,
  title: attack,
  status: attack,
  createdAt: attack,
  metadata: { [attack]: attack },
}
const refused = json({ error: { code: ID, message: attack } }, { status: 400 })

describe('no control character of a service reaches a terminal', () => {
  test.each<[string[], RawEvent | Behaviour]>([
    [['events'], blockedOn],
    [['events'], refused],
    [['watch', '--last', '50', '--timeout', '2s', '--debug'], endedBadly],
    [['watch', '--until', 'call'], refused],
    [['pending'], blockedOn],
    [['pending', '--exit-code'], endedBadly],
    [['wait', '--exit-status'], endedBadly],
    [['wait', '--timeout', '2s'], blockedOn],
    [['sessions', 'list'], endedBadly],
    [['sessions', 'list'], refused],
    [['sessions', 'get'], endedBadly],
    [['sessions', 'create', '--agent', 'a', '--title', attack], endedBadly],
    [['message', '--text', attack], endedBadly],
    [['complete', '--tool-use-id', ID, '--text', attack, '--timeout', '1500ms', '--settle', '100ms'], endedBadly],
    [['complete', '--tool-use-id', ID, '--text', 'x', '--timeout', '2s'], blockedOn],
    [['fail', '--tool-use-id', `${ID}2`, '--text', 'x', '--timeout', '1500ms'], endedBadly],
    [['running', '--tool-use-id', ID, '--text', 'other'], blockedOn],
  ])('%j', async (args, last) => {
    const at = await hostileService(last)
    assertClean(await at.run(args, { env: { FORCE_COLOR: '3' } }))
  })

  test('of the journal, and of what was typed', async () => {
    const at = await hostileService(blockedOn)
    await at.run(['pending'])
    at.home.writeConfig({ profiles: { default: {}, [attack]: { session: attack, agent: attack } } })
    const scenario = join(at.home.folder, 'scenario.yaml')
    writeFileSync(scenario, JSON.stringify({ agents: {}, sessions: [{ agent: attack }], faults: [] }))
    const commands = [
      ['jobs', 'list'],
      ['jobs', 'show', ID],
      ['jobs', 'show', attack],
      ['jobs', 'forget', ID],
      ['reconcile'],
      ['reconcile', '--tool-use-id', ID],
      ['config', 'list', '--profile', attack],
      ['config', 'get', 'session', '--profile', attack],
      ['config', 'set', 'agent', attack, '--profile', `new${attack}`],
      ['auth', 'status', '--profile', attack],
      ['auth', 'logout', '--profile', attack],
      ['config', 'list', '--profile', 'none', '--base-url', attack],
      ['emulator', '--scenario', scenario],
      ['emulator', '--scenario', attack],
      ['emulator', '--fault', attack],
      [attack],
    ]
    for (const args of commands) assertClean(await at.run(args, { env: { FORCE_COLOR: '3', HERM_SESSION: undefined } }))
  })
})

test('nor without colours', async () => {
  const { run } = await hostileService(blockedOn)
  const end = await run(['events'])
  assertClean(end)
  expect(end.stdout).not.toContain('\u001b')
})

test('with --json, what the service said is exact', async () => {
  const { run } = await hostileService(blockedOn)
  expect((await run(['events', '--json'])).stdout).toBe([...events, blockedOn].map(({ raw }) => `${raw}\n`).join(''))
})

/** Colours apart, nothing but what is printed, line ends and tabs; and no line that was not begun here. */
function assertClean({ stdout, stderr }: ToolEnd): void {
  expect(stdout + stderr).not.toBe('')
  for (const text of [stdout, stderr]) {
    expect(text).not.toContain('\u001b[5m')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that of colours
    const plain = text.replace(/\u001b\[[\d;]*m/g, '')
    expect(plain.match(/(?![\n\t])\p{Cc}|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u)).toBe(null)
    expect(plain.match(/^(error: forged|hint: run this)/m)).toBe(null)
  }
}

async function hostileService(last: RawEvent | Behaviour) {
  const server = await scriptedServer(({ method, url }) => {
    if (!('raw' in last)) return last
    const path = url.split('?')[0] ?? ''
    if (method === 'POST')
      return path.includes('/agents/')
        ? json(session, { status: 201 })
        : json({ events: [{ id: ID, type: 'user.message', payload: {} }] }, { status: 202 })
    if (path.endsWith('/stream')) return eventStream([frames], { finish: 'hold' })
    if (path.endsWith('/events')) return page([...events, last])
    return path.endsWith('/sessions') ? json({ data: [session], nextCursor: attack }) : json(session)
  })
  return atSession({ url: server.url, sessionId: SESSION })
}
