import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { resultDigest } from '../../src/protocol/result-digest.ts'
import type { CallRecord, Intent, RecordedFinal } from '../../src/store/journal.ts'
import { CALL, callId, deliveryStage, errorOf, message, result, SESSION } from '../helpers/delivery-stage.ts'
import { type Behaviour, html, json, text } from '../helpers/scripted-server.ts'

const longAgo = '2026-01-01T00:00:00.000Z'

const intent = (text: string): Intent => ({
  status: 'completed',
  digest: resultDigest('completed', text),
  attempt: 1,
  writtenAt: longAgo,
  forced: false,
  token: 'token',
  knownResultEventIds: [],
})

const final = (text: string, recordedAt = longAgo): RecordedFinal => ({
  status: 'completed',
  digest: resultDigest('completed', text),
  eventId: 'evt_said',
  recordedAt,
  source: 'accepted',
})

/** The service has the final `done` of CALL, and a kickoff of each of some more calls. */
async function setup({ calls = 2 } = {}) {
  const stage = await deliveryStage()
  await stage.kickOff()
  await stage.send(result(CALL, 'completed', 'done'))
  for (let call = 2; call <= calls; call++) await stage.send(message('go'), result(callId(call), 'running', 'started'))
  return {
    ...stage,
    remember: (record: CallRecord, { toolUseId = CALL, sessionId = SESSION } = {}) =>
      stage.home.journal.update({ baseUrl: stage.proxy.url, sessionId, toolUseId }, () => record),
    entry: (toolUseId = CALL) => stage.home.journal.read({ baseUrl: stage.proxy.url, sessionId: SESSION, toolUseId }),
    eventIdOf: (toolUseId: string) =>
      stage.emulator.control
        .events(SESSION)
        .find(({ envelope }) => envelope.type.startsWith('user.') && envelope.payload.tool_use_id === toolUseId)
        ?.envelope.id,
    reconcile: (...more: string[]) => stage.run(['reconcile', '--json', '--settle', '300ms', ...more]),
  }
}

describe('the verdict', () => {
  test('on each call says what history knows of it, and nothing is sent', async () => {
    const stage = await setup({ calls: 7 })
    await stage.send(result(callId(2), 'completed', 'done'), result(callId(3), 'completed', 'done'))
    await stage.send(result(callId(4), 'completed', 'done'))
    const records: [CallRecord, string, (id: string) => unknown][] = [
      [{ final: final('done') }, 'recorded', stage.eventIdOf],
      [{}, 'recorded', stage.eventIdOf],
      [{ intent: intent('done') }, 'recorded', stage.eventIdOf],
      [{ final: final('other') }, 'conflict', stage.eventIdOf],
      [{ intent: intent('done') }, 'not_accepted', () => null],
      [{ kickoff: { digest: 'd', recordedAt: longAgo } }, 'open', stage.eventIdOf],
      [{ final: final('done') }, 'missing', () => 'evt_said'],
    ]
    for (const [index, [record]] of records.entries()) await stage.remember(record, { toolUseId: callId(index + 1) })

    const end = await stage.reconcile()
    expect(end.records()).toEqual(
      records.map(([, verdict, eventId], index) => ({
        type: 'herm_tools.verdict',
        session_id: SESSION,
        tool_use_id: callId(index + 1),
        verdict,
        event_id: eventId(callId(index + 1)),
        reason: null,
      })),
    )
    expect(end.code).toBe(6)
    expect(errorOf(end)).toMatchObject({ type: 'herm_tools.error', code: 'unknown', exit_code: 6 })
    expect(stage.posts()).toBe(0)

    const entries = await Promise.all(records.map((_record, index) => stage.entry(callId(index + 1))))
    expect(entries.map((entry) => entry?.intent)).toEqual(Array(7).fill(undefined))
    expect(entries.map((entry) => entry?.final?.digest === final('done').digest)).toEqual([
      ...[true, true, true, false],
      ...[false, false, true],
    ])
  })

  test('is unknown for a session that is not there, and for a call that another process holds', async () => {
    const stage = await setup()
    await stage.remember({ intent: intent('done') })
    await stage.remember({}, { toolUseId: 'toolu_gone', sessionId: 'ses_gone' })
    const key = { baseUrl: stage.proxy.url, sessionId: SESSION, toolUseId: CALL }
    const lock = await stage.home.journal.lockCall(key, { label: 'the test', timeoutMs: 1_000 })
    const end = await stage.reconcile()
    await lock.release()
    expect(end.code).toBe(6)
    expect(end.records()).toMatchObject([
      { tool_use_id: CALL, verdict: 'unknown', reason: expect.stringContaining('the test') },
      { tool_use_id: 'toolu_gone', verdict: 'unknown', reason: expect.stringContaining('404') },
    ])
    expect((await stage.entry())?.intent).toBeDefined()
  })

  test('on a young final waits for history to list it', async () => {
    const stage = await setup()
    await stage.remember({ final: final('done', new Date().toISOString()) })
    const withoutIt = stage.emulator.control
      .events(SESSION)
      .slice(0, 3)
      .map(({ envelope }) => envelope)
    let looks = 0
    stage.proxy.onGets(() => (looks++ < 2 ? json({ data: withoutIt }) : undefined))
    const end = await stage.run(['reconcile', '--json', '--settle', '10s'])
    expect(end.records()).toMatchObject([{ verdict: 'recorded' }])
    expect(looks).toBe(3)
  })
})

test('the worst verdict gives the exit code; each session is read once; --session and --tool-use-id narrow', async () => {
  const stage = await setup()
  stage.emulator.control.createSession({ agentId: 'worker', id: 'ses_2' })
  await stage.remember({ final: final('other') })
  await stage.remember({}, { toolUseId: callId(2) })
  await stage.remember({}, { toolUseId: 'toolu_a', sessionId: 'ses_2' })
  await stage.remember({}, { toolUseId: 'toolu_b', sessionId: 'ses_2' })
  const end = await stage.reconcile()
  expect(end.records().map(({ verdict }) => verdict)).toEqual(['conflict', 'open', 'open', 'open'])
  expect(end.code).toBe(3)
  expect(stage.proxy.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET /v1/sessions/${SESSION}/events?limit=100`,
    'GET /v1/sessions/ses_2/events?limit=100',
  ])

  const some = await stage.reconcile('--session', 'ses_2')
  expect(some.code).toBe(0)
  expect(some.records()).toHaveLength(2)
  const one = await stage.reconcile('--tool-use-id', callId(2))
  expect(one.records().map(({ tool_use_id }) => tool_use_id)).toEqual([callId(2)])
})

test('a call that the journal does not know is not_found; an empty journal is in order', async () => {
  const stage = await setup()
  expect(await stage.reconcile('--tool-use-id', CALL)).toMatchObject({ code: 5, stdout: '' })
  expect(await stage.reconcile()).toMatchObject({ code: 0, stdout: '' })
  expect(stage.proxy.requests).toEqual([])
})

test('an entry that makes no sense is told, stays, and leaves the outcome open', async () => {
  const stage = await setup()
  await stage.remember({ final: final('done') })
  const folder = join(stage.home.stateDir, 'journal')
  const path = join(folder, readdirSync(folder)[0] ?? '')
  writeFileSync(path, '{"broken')
  const all = await stage.run(['reconcile', '--json'])
  expect(errorOf(all).hint).toContain('`herm-tools jobs forget TOOL_USE_ID --force`')
  const end = await stage.reconcile('--tool-use-id', CALL)
  expect(end).toMatchObject({ code: 6, stdout: '' })
  expect(end.stderr).toContain(`warning: ${path} cannot be read`)
  expect(errorOf(end).hint).toMatch(/^An entry that .* `herm-tools jobs forget custom_toolu_000001 --force`\.$/)
  expect(readFileSync(path, 'utf8')).toBe('{"broken')
})

test('a key that is refused ends it at once', async () => {
  const stage = await setup()
  await stage.remember({ intent: intent('done') })
  await stage.remember({}, { toolUseId: callId(2) })
  stage.proxy.onGets(() => json({ error: { code: 'unauthorized', message: 'no' } }, { status: 401 }))
  expect(await stage.reconcile()).toMatchObject({ code: 4, stdout: '' })
  expect(stage.proxy.requests).toHaveLength(1)
  expect((await stage.entry())?.intent).toBeDefined()
})

describe('a history that cannot be understood', () => {
  const answers: [string, Behaviour][] = [
    ['a page', html('<html>Log in</html>')],
    ['no list', json({ data: 'none' })],
    ['no JSON', text('{"data":[')],
    ['compressed', json({ data: [] }, { headers: { 'content-encoding': 'br' } })],
    ['refused', json({}, { status: 400 })],
  ]

  test.each(answers)('leaves its calls open, and the others are looked at: %s', async (_what, answer) => {
    const stage = await setup({ calls: 1 })
    stage.emulator.control.createSession({ agentId: 'worker', id: 'ses_2' })
    await stage.remember({}, { toolUseId: 'toolu_a', sessionId: 'ses_2' })
    await stage.remember({ intent: intent('done') }, { toolUseId: 'toolu_b', sessionId: 'ses_2' })
    await stage.remember({ final: final('done') })
    stage.proxy.onGets(({ url }) => (url.includes('ses_2') ? answer : undefined))
    const end = await stage.reconcile()
    expect(end.code).toBe(6)
    expect(end.records().map(({ tool_use_id, verdict }) => [tool_use_id, verdict])).toEqual([
      ['toolu_a', 'unknown'],
      ['toolu_b', 'unknown'],
      [CALL, 'recorded'],
    ])
  })
})

test('a call in doubt has the history read for it, and no second time', async () => {
  const stage = await setup()
  await stage.remember({ intent: intent('done') })
  expect((await stage.reconcile()).records()).toMatchObject([{ verdict: 'recorded' }])
  expect(stage.proxy.requests).toHaveLength(1)
})

test('a journal that cannot be written ends it', async () => {
  const stage = await setup()
  await stage.remember({ intent: intent('done') })
  await stage.remember({ final: final('done') }, { toolUseId: callId(2) })
  rmSync(join(stage.home.stateDir, 'locks'), { recursive: true })
  writeFileSync(join(stage.home.stateDir, 'locks'), '')
  expect(await stage.reconcile()).toMatchObject({ code: 1, stdout: '' })
})

test('a reader that goes away, as head does, is no failure', async () => {
  const stage = await setup()
  await stage.remember({ final: final('done') })
  await stage.remember({ intent: intent('other') }, { toolUseId: callId(2) })
  const run = stage.start(['reconcile', '--settle', '1m'])
  run.child.stdout?.destroy()
  expect(await run.ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') })
  expect((await stage.entry(callId(2)))?.intent).toBeDefined()
})

test('what the service has no more is told with the command that forgets it', async () => {
  const stage = await setup()
  await stage.remember({ final: final('done') }, { toolUseId: callId(2) })
  await stage.remember({ intent: intent('done') }, { toolUseId: 'toolu_gone', sessionId: 'ses_gone' })
  const end = await stage.run(['reconcile', '--settle', '100ms'])
  expect(end.code).toBe(6)
  const [missing, gone] = end.stdout.split('\n')
  expect(missing).toMatch(
    /^missing .* does not show it; if the service was reset: herm-tools jobs forget custom_toolu_000002 --session ses_1$/,
  )
  expect(gone).toMatch(
    /^unknown .* 404 .*; if the service was reset: herm-tools jobs forget toolu_gone --session ses_gone --force$/,
  )
  expect(end.stderr).toContain('If the service was reset, forget the call with `herm-tools jobs forget')
  expect(end.stderr).toContain('`herm-tools jobs forget --all --session ses_1`')
})

test('what may only be late is told with no such command', async () => {
  const stage = await setup()
  await stage.remember({ intent: intent('done') })
  stage.proxy.onGets(() => json({}, { status: 400 }))
  const end = await stage.run(['reconcile', '--settle', '100ms'])
  expect(end.code).toBe(6)
  expect(end.stdout + end.stderr).not.toContain('forget')
})

test('people are told the verdict in words, and what is looked for', async () => {
  const stage = await setup()
  await stage.remember({ intent: intent('other') })
  const end = await stage.run(['reconcile', '--settle', '100ms'])
  expect(end.stdout).toBe(
    `not accepted  ${CALL} in ${SESSION}: it was not accepted; run its command again to send it\n`,
  )
  expect(end.stderr).toContain(`whether a completed result of ${CALL} was accepted is open; looking in the history`)
})
