import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CallRecord, Intent } from '../../src/store/journal.ts'
import { type ToolHome, toolHome } from '../helpers/tool-home.ts'

const baseUrl = 'https://api.herm.run'
const recordedAt = '2026-01-02T03:04:05.000Z'
const intent: Intent = {
  status: 'completed',
  digest: 'd',
  attempt: 2,
  writtenAt: recordedAt,
  forced: false,
  token: 't',
  knownResultEventIds: [],
}
const kickoff = { digest: 'd', eventId: 'evt_1', recordedAt }
const final = { status: 'completed', digest: 'd', eventId: 'evt_2', recordedAt, source: 'history' } as const

async function remember(home: ToolHome, toolUseId: string, record: CallRecord = {}, sessionId = 'ses_1') {
  await home.journal.update({ baseUrl, sessionId, toolUseId }, () => ({ toolName: 'render', ...record }))
}

/** One call in each state. */
async function filledHome(): Promise<ToolHome> {
  const home = toolHome()
  await remember(home, 'toolu_seen')
  await remember(home, 'toolu_kickoff', { kickoff })
  await remember(home, 'toolu_doubt', { kickoff, intent })
  await remember(home, 'toolu_done', { kickoff, final }, 'ses_2')
  await remember(home, 'toolu_failed', { final: { ...final, status: 'failed' } }, 'ses_2')
  return home
}

function breakEntry(home: ToolHome, toolUseId: string): { path: string; folder: string } {
  const folder = join(home.stateDir, 'journal')
  const name = readdirSync(folder).find((one) => one.startsWith(toolUseId))
  const path = join(folder, name ?? '')
  writeFileSync(path, '{"broken')
  return { path, folder }
}

it('list is a table of the calls and how far they have come', async () => {
  const end = await (await filledHome()).runHere(['jobs', 'list'])
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(
    end.stdout
      .trimEnd()
      .replace(/\d{4}-\S+Z/g, 'TIME')
      .split('\n'),
  ).toEqual([
    'TOOL USE       SESSION  TOOL    STATE      EVENT  UPDATED',
    'toolu_seen     ses_1    render  seen       -      TIME',
    'toolu_kickoff  ses_1    render  kickoff    evt_1  TIME',
    'toolu_doubt    ses_1    render  in doubt   evt_1  TIME',
    'toolu_done     ses_2    render  completed  evt_2  TIME',
    'toolu_failed   ses_2    render  failed     evt_2  TIME',
  ])
})

it('list says which service a call is of where there are several', async () => {
  const home = await filledHome()
  const key = { baseUrl: 'http://127.0.0.1:8787', sessionId: 'ses_demo', toolUseId: 'toolu_here' }
  await home.journal.update(key, () => ({ toolName: 'render' }))
  const [head, first, ...others] = (await home.runHere(['jobs', 'list'])).stdout.trimEnd().split('\n')
  expect(head).toMatch(/^TOOL USE +SESSION +SERVICE +TOOL +STATE/)
  expect(first).toMatch(/^toolu_seen +ses_1 +https:\/\/api\.herm\.run +render/)
  expect(others.at(-1)).toMatch(/^toolu_here +ses_demo +http:\/\/127\.0\.0\.1:8787 +render/)
})

it('list and show print the same record', async () => {
  const home = await filledHome()
  const [inList] = (await home.runHere(['jobs', 'list', '--json', '--session', 'ses_2'])).records()
  const [shown] = (await home.runHere(['jobs', 'show', 'toolu_done', '--json'])).records()
  expect(shown).toEqual(inList)
  expect(shown).toEqual({
    type: 'herm_tools.job',
    tool_use_id: 'toolu_done',
    session_id: 'ses_2',
    base_url: baseUrl,
    tool_name: 'render',
    state: 'completed',
    kickoff: { event_id: 'evt_1', recorded_at: recordedAt },
    intent: null,
    final: { status: 'completed', event_id: 'evt_2', recorded_at: recordedAt, source: 'history' },
    first_seen_at: expect.any(String),
    updated_at: expect.any(String),
  })
})

it('list --open leaves out what has its final and is in no doubt', async () => {
  const home = await filledHome()
  await remember(home, 'toolu_again', { final, intent })
  const records = (await home.runHere(['jobs', 'list', '--open', '--json'])).records()
  expect(records.map((record) => [record.tool_use_id, record.state])).toEqual([
    ['toolu_seen', 'seen'],
    ['toolu_kickoff', 'kickoff'],
    ['toolu_doubt', 'in_doubt'],
    ['toolu_again', 'in_doubt'],
  ])
})

it('list of an empty journal prints nothing, makes nothing, and is no failure', async () => {
  const home = toolHome()
  const end = await home.runHere(['jobs', 'list', '--session', 'ses_1'])
  expect(end).toMatchObject({ code: 0, stdout: '', stderr: 'no such calls in the journal\n' })
  expect(readdirSync(home.folder)).toEqual([])
})

it('list shows what can be read, warns of the rest, and ends with 1', async () => {
  const home = await filledHome()
  const { path } = breakEntry(home, 'toolu_doubt')
  const end = await home.runHere(['jobs', 'list', '--json'])
  expect(end.code).toBe(1)
  expect(end.records()).toHaveLength(4)
  const [warning, error] = end.stderr.trim().split('\n')
  expect(warning).toBe(`warning: ${path}: it is no JSON`)
  expect(JSON.parse(error ?? '')).toMatchObject({ type: 'herm_tools.error', exit_code: 1 })
})

it('show tells a person what is in doubt', async () => {
  const end = await (await filledHome()).runHere(['jobs', 'show', 'toolu_doubt'])
  expect(end.stdout).toContain('state       in doubt\n')
  expect(end.stdout).toContain(`in doubt    completed, attempt 2, about to be sent at ${recordedAt}\n`)
})

it('show leaves out control characters of a tool name', async () => {
  const home = toolHome()
  await remember(home, 'toolu_1', { toolName: 'ren\u001b[31mder\n' })
  expect((await home.runHere(['jobs', 'show', 'toolu_1'])).stdout).toContain('tool        render\n')
})

it.each(['show', 'forget'])('%s ends with 5 for a call that the journal does not have', async (verb) => {
  const end = await (await filledHome()).runHere(['jobs', verb, 'toolu_doubt', '--session', 'ses_9'])
  expect(end).toMatchObject({ code: 5, stdout: '' })
  expect(end.stderr).toContain('the journal has no call toolu_doubt in session ses_9')
})

it.each(['show', 'forget'])('%s lists the candidates of an id in several sessions; --session narrows', async (verb) => {
  const home = toolHome()
  await remember(home, 'toolu_1', { final }, 'ses_1')
  await remember(home, 'toolu_1', { final }, 'ses_2')
  const ambiguous = await home.runHere(['jobs', verb, 'toolu_1'])
  expect(ambiguous).toMatchObject({ code: 2, stdout: '' })
  expect(ambiguous.stderr).toContain(`ses_1 at ${baseUrl}, ses_2 at ${baseUrl}`)

  const narrowed = await home.runHere(['jobs', verb, 'toolu_1', '--session', 'ses_2', '--json'])
  expect(narrowed.code).toBe(0)
  expect(narrowed.records()).toMatchObject([{ session_id: 'ses_2' }])
})

it('forget removes a settled call, and only that', async () => {
  const home = await filledHome()
  const end = await home.runHere(['jobs', 'forget', 'toolu_done'])
  expect(end).toMatchObject({ code: 0, stdout: 'toolu_done of session ses_2 is forgotten\n', stderr: '' })
  const { entries } = await home.journal.list()
  expect(entries.map((entry) => entry.toolUseId)).not.toContain('toolu_done')
  expect(entries).toHaveLength(4)
})

it.each([
  ['toolu_doubt', 'whether a completed result of toolu_doubt was accepted is open'],
  ['toolu_kickoff', 'toolu_kickoff has no final yet'],
  ['toolu_seen', 'toolu_seen has no final yet'],
])('forget refuses %s, says what would be given up, and obeys --force', async (toolUseId, words) => {
  const home = await filledHome()
  const refused = await home.runHere(['jobs', 'forget', toolUseId])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain(words)
  expect((await home.journal.list()).entries).toHaveLength(5)

  const forced = await home.runHere(['jobs', 'forget', toolUseId, '--force', '--json'])
  expect(forced.records()).toEqual([
    { type: 'herm_tools.job_forgotten', tool_use_id: toolUseId, session_id: 'ses_1', base_url: baseUrl },
  ])
  expect((await home.journal.list()).entries).toHaveLength(4)
})

it('forget and show stop at an entry that cannot be understood; --force keeps it aside', async () => {
  const home = await filledHome()
  const { path, folder } = breakEntry(home, 'toolu_done')
  for (const verb of ['show', 'forget']) {
    const refused = await home.runHere(['jobs', verb, 'toolu_done'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('cannot be understood')
    expect(readFileSync(path, 'utf8')).toBe('{"broken')
  }
  const forced = await home.runHere(['jobs', 'forget', 'toolu_done', '--force', '--json'])
  expect(forced.code).toBe(0)
  const [record] = forced.records()
  expect(record).toMatchObject({ type: 'herm_tools.job_kept_aside', tool_use_id: 'toolu_done' })
  expect(readFileSync(String(record?.path), 'utf8')).toBe('{"broken')
  expect(readdirSync(folder)).toHaveLength(5)
  expect((await home.journal.list()).problems).toEqual([])
})

it('forget does not touch a call that is being delivered', async () => {
  const home = await filledHome()
  const key = { baseUrl, sessionId: 'ses_2', toolUseId: 'toolu_done' }
  const lock = await home.journal.lockCall(key, { label: 'complete toolu_done', timeoutMs: 1000 })
  try {
    const end = await home.runHere(['jobs', 'forget', 'toolu_done', '--force'])
    expect(end).toMatchObject({ code: 8, stdout: '' })
    expect(end.stderr).toContain('complete toolu_done')
    expect(await home.journal.read(key)).toBeDefined()
  } finally {
    await lock.release()
  }
})

describe('forget --all', () => {
  const other = 'http://127.0.0.1:8787'

  async function severalServices(): Promise<ToolHome> {
    const home = await filledHome()
    for (const [toolUseId, record] of Object.entries({ toolu_a: { final }, toolu_b: { kickoff }, toolu_c: { intent } }))
      await home.journal.update({ baseUrl: other, sessionId: 'ses_1', toolUseId }, () => record)
    return home
  }
  const left = async (home: ToolHome) => (await home.journal.list()).entries.map(({ toolUseId }) => toolUseId)

  it('removes the settled calls of a service, and keeps and names the others', async () => {
    const home = await severalServices()
    const end = await home.runHere(['jobs', 'forget', '--all', '--base-url', `${other}/`])
    expect(end).toMatchObject({ code: 1, stdout: 'toolu_a of session ses_1 is forgotten\n' })
    expect(end.stderr).toContain('warning: kept: toolu_b has no final yet')
    expect(end.stderr).toContain('warning: kept: whether a completed result of toolu_c was accepted is open')
    expect(end.stderr).toContain('2 of 3 calls are kept, since they may still matter\nhint: Forget them all the same')
    expect(await left(home)).toEqual([
      ...['toolu_seen', 'toolu_kickoff', 'toolu_doubt', 'toolu_done', 'toolu_failed'],
      ...['toolu_b', 'toolu_c'],
    ])

    const forced = await home.runHere(['jobs', 'forget', '--all', '--base-url', other, '--force', '--json'])
    expect(forced.code).toBe(0)
    expect(forced.records().map(({ type, tool_use_id }) => [type, tool_use_id])).toEqual([
      ['herm_tools.job_forgotten', 'toolu_b'],
      ['herm_tools.job_forgotten', 'toolu_c'],
    ])
    expect(await left(home)).toHaveLength(5)
    const none = await home.runHere(['jobs', 'forget', '--all', '--base-url', other])
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'no such calls in the journal\n' })
  })

  it('goes by the session, too', async () => {
    const home = await severalServices()
    const end = await home.runHere(['jobs', 'forget', '--all', '--session', 'ses_2'])
    expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(await left(home)).not.toContain('toolu_done')
    expect(await left(home)).toHaveLength(6)
  })

  it.each([
    [['--all'], '--all does not say whose calls'],
    [['--all', '--force'], '--all does not say whose calls'],
    [['--all', 'toolu_done'], 'a call is named, and --all is given'],
    [[], 'no call is named'],
  ])('of %j nothing is forgotten, whatever the environment says', async (args, words) => {
    const home = await filledHome()
    const env = { HERM_BASE_URL: baseUrl, HERM_SESSION: 'ses_1' }
    const end = await home.runHere(['jobs', 'forget', ...args], { env })
    expect(end).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
    expect(await left(home)).toHaveLength(5)
  })
})
