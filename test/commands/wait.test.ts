import { describe, expect, it, test } from 'vitest'
import { API_KEY, atSession } from '../helpers/at-session.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { json, liveStream, neverAnswers, refusedPort } from '../helpers/scripted-server.ts'
import { frameOf, type SessionScript, scriptedSession } from '../helpers/scripted-session.ts'
import { event } from '../protocol/session-log.ts'

const idle = (sequence: number, reason: object = { type: 'end_turn' }) =>
  event(sequence, 'session.status_idle', { stop_reason: reason })
const running = (sequence: number) => event(sequence, 'session.status_running')
const error = { type: 'error', message: 'it \u001b[31mbroke' }

async function start(script: SessionScript) {
  const server = await scriptedSession(script)
  return { server, ...atSession(server) }
}

describe('an idle session', () => {
  it('ends it at once', async () => {
    const { run } = await start({ history: [running(1), idle(2)] })
    expect(await run(['wait', '--exit-status'])).toMatchObject({
      code: 0,
      stdout: 'session session_1: idle\n',
      stderr: '',
    })
    const end = await run(['wait', 'session_1', '--json'], { env: { HERM_SESSION: undefined } })
    expect(end.records()).toEqual([
      { type: 'herm_tools.idle', session_id: 'session_1', stop_reason: { type: 'end_turn' } },
    ])
  })

  it('whose turn ended in an error is 0, and 1 with --exit-status', async () => {
    const { run } = await start({ history: [idle(1, error)] })
    expect(await run(['wait'])).toMatchObject({
      code: 0,
      stdout: 'session session_1: idle, the turn ended in an error: it broke\n',
    })
    const end = await run(['wait', '--exit-status', '--json'])
    expect(end.code).toBe(1)
    expect(end.records()).toMatchObject([{ stop_reason: error }])
    expect(JSON.parse(end.stderr)).toMatchObject({ exit_code: 1, message: expect.stringContaining(error.message) })
  })

  it('of which no event tells is one when the service says so', async () => {
    const { run } = await start({ session: 'idle' })
    expect(await run(['wait', '--json'])).toMatchObject({ code: 0 })
  })
})

describe('a session that is not idle', () => {
  it('is waited for, with one plain line for each state, under CI and without a terminal', async () => {
    const live = liveStream()
    const { start: tool } = await start({ streams: [live.behaviour], history: [running(1)] })
    const run = tool(['wait'], { env: { CI: 'true', FORCE_COLOR: undefined } })
    await run.says(/a turn is running/, 'stderr')
    live.send([2, 3].map((one) => frameOf(event(one, 'agent.message'))).join(''))
    live.send(frameOf(idle(4, { type: 'requires_action', event_ids: ['call_1'] })))
    await run.says(/call_1/, 'stderr')
    live.send(frameOf(event(5, 'agent.message')) + frameOf(idle(6)))
    const end = await run.ended
    expect(end).toMatchObject({ code: 0, stdout: 'session session_1: idle\n' })
    expect(end.stderr.split('\n')).toEqual([
      'session session_1: a turn is running; waiting for idle, at most 10m',
      "the turn waits for call_1. To answer it: herm-tools running --session session_1 --tool-use-id call_1 --text 'Started.'",
      'session session_1: the turn waits for call_1; waiting for idle, at most 10m',
      'session session_1: a turn is running; waiting for idle, at most 10m',
      '',
    ])
  })

  test.each([
    ['a turn that runs', [running(1)], 'a turn is still running'],
    ['a blocked turn', [idle(1, { type: 'requires_action', event_ids: ['call_1'] })], 'its turn waits for call_1'],
  ])('%s is 8 after the timeout', async (_name, history, words) => {
    const { run } = await start({ history })
    const end = await run(['wait', '--timeout', '2s', '--quiet'])
    expect(end).toMatchObject({ code: 8, stdout: '' })
    expect(end.stderr).toMatch(/^error: .*\nhint: .*\n$/)
    expect(end.stderr).toContain(words)
  })

  it('is waited for as long as it is said, however long', async () => {
    const live = liveStream()
    const { start: tool } = await start({ streams: [live.behaviour], history: [running(1)] })
    const run = tool(['wait', '--timeout', '300d'])
    await run.says(/a turn is running/, 'stderr')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(run.child.exitCode).toBeNull()
    live.send(frameOf(idle(2)))
    expect(await run.ended).toMatchObject({ code: 0 })
  })

  test.each<[string, SessionScript, RegExp]>([
    ['in a quiet stream', { history: [running(1)] }, /is running/],
    ['while history is read', { history: () => neverAnswers }, /stream: 200/],
    ['while it connects', { streams: [neverAnswers] }, /./],
  ])('ends promptly by a signal %s', async (_name, script, isThere) => {
    const { start: tool, server } = await start(script)
    const run = tool(['wait', '--debug'])
    await server.arrived(1)
    if (isThere.source !== '.') await run.says(isThere, 'stderr')
    const sentAt = performance.now()
    run.child.kill('SIGINT')
    const end = await run.ended
    expect(end).toMatchObject({ code: 130, stdout: '', stderr: expect.stringContaining('interrupted\n') })
    expect(performance.now() - sentAt).toBeLessThan(PROMPT_MS)
    expect(end.stderr).not.toContain(API_KEY)
  })
})

test.each([
  [401, 4],
  [403, 4],
  [404, 5],
])('%i ends it at once with %i', async (status, code) => {
  const { run, server } = await start({ streams: [json({ error: { code: 'c', message: 'because' } }, { status })] })
  expect(await run(['wait'])).toMatchObject({ code, stderr: expect.stringContaining('because') })
  expect(server.requests).toHaveLength(1)
})

it('without a service is 9', async () => {
  const { run } = atSession({ url: `http://127.0.0.1:${await refusedPort()}`, sessionId: 's' })
  expect(await run(['wait', '--json'])).toMatchObject({ code: 9, stdout: '' })
})

test.each([
  [['--timeout', 'soon'], 'soon'],
  [['--timeout', '400d'], '400d'],
  [['--timeout', ''], 'timeout'],
  [['a', 'b'], 'too many arguments'],
])('%j is wrong usage', async (args, words) => {
  const { run, server } = await start({})
  const end = await run(['wait', ...args])
  expect(end).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
  expect(end.stderr).toMatch(/\nhint: .+\n$/)
  expect(server.requests).toHaveLength(0)
})

it('waits for a turn of the emulator', async () => {
  const { url, clock } = await startEmulator({
    scenario: `
agents:
  agent:
    - when: message
      do: [{ wait: 5s }, { say: done }]
sessions:
  - { id: ses_1, agent: agent, message: go }
`,
  })
  const run = atSession({ url, sessionId: 'ses_1' }).start(['wait', '--exit-status'])
  await run.says(/a turn is running/, 'stderr')
  await clock.advance(5000)
  expect(await run.ended).toMatchObject({ code: 0, stdout: 'session ses_1: idle\n' })
})

/** Far less than any limit that would end it as well, far more than a busy machine takes. */
const PROMPT_MS = 15_000
