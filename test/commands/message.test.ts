import { describe, expect, it, test } from 'vitest'
import { atSession } from '../helpers/at-session.ts'
import { startEmulator } from '../helpers/emulator.ts'
import {
  type Behaviour,
  cutAfterReading,
  html,
  json,
  neverAnswers,
  refusedPort,
  status,
} from '../helpers/scripted-server.ts'
import { scriptedSession } from '../helpers/scripted-session.ts'
import { event } from '../protocol/session-log.ts'

async function start(post: Behaviour) {
  const server = await scriptedSession({ post })
  return { server, ...atSession(server) }
}

describe('an accepted message', () => {
  const sent = event(7, 'user.message')

  test('is sent once, and its event told', async () => {
    const { runHere: run, server } = await start(json({ events: [sent.envelope] }, { status: 202 }))
    const end = await run(['message', '--text', 'hello', '--json'])
    expect(end.records()).toEqual([
      { type: 'herm_tools.message', outcome: 'accepted', session_id: 'session_1', event_id: 'evt_7' },
    ])
    expect(server.requests).toHaveLength(1)
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      events: [{ type: 'user.message', content: [{ type: 'text', text: 'hello' }] }],
    })
    expect((await run(['message', '--file', '-'], { stdin: 'piped' })).stdout).toBe(
      'accepted: message to session_1 as evt_7\n',
    )
    expect(server.requests[1]?.body).toContain('piped')
  })

  test('starts a turn, and a second one is refused while it runs', async () => {
    const { url, control } = await startEmulator()
    const { runHere: run } = atSession({ url, sessionId: 'ses_demo' })
    expect((await run(['message', '--text', 'a film'])).code).toBe(0)
    const before = control.events('ses_demo').length
    const end = await run(['message', '--text', 'another', '--json'])
    expect(end).toMatchObject({ code: 7, stdout: '' })
    expect(JSON.parse(end.stderr)).toMatchObject({
      code: 'invalid_state',
      hint: 'A turn is running. `herm-tools pending ses_demo` shows whether it waits for you; `herm-tools wait ses_demo` waits for its end.',
    })
    expect(control.events('ses_demo')).toHaveLength(before)
  })
})

describe('a message of which it is not known whether it was accepted', () => {
  test.each<[string, Behaviour]>([
    ['the answer was lost', cutAfterReading],
    ['the service failed', json({ error: { code: 'internal' } }, { status: 500 })],
    ['the answer cannot be read', html('<html></html>', { status: 202 })],
  ])('is 6, and is not sent again: %s', async (_name, post) => {
    const { runHere: run, server } = await start(post)
    const end = await run(['message', '--text', 'hello'])
    expect(end).toMatchObject({ code: 6, stdout: '' })
    expect(end.stderr).toContain('herm-tools events session_1 --type user.message --last 1')
    expect(server.requests).toHaveLength(1)
  })

  test('is interrupted, and says so', async () => {
    const { start: tool, server } = await start(neverAnswers)
    const run = tool(['message', '--text', 'hello'])
    await server.arrived(1)
    run.child.kill('SIGINT')
    const end = await run.ended
    expect(end.code).toBe(130)
    expect(end.stderr).toContain('interrupted: the message may have been accepted')
    expect(end.stderr).toContain('herm-tools events session_1')
  })

  test('an empty answer is an acceptance without an id', async () => {
    const { runHere: run } = await start(status(202))
    expect((await run(['message', '--text', 'hello', '--json'])).records()).toMatchObject([{ event_id: null }])
  })
})

test.each<[string, Behaviour, number]>([
  ['401', json({ error: { code: 'unauthorized' } }, { status: 401 }), 4],
  ['404', json({ error: { code: 'not_found' } }, { status: 404 }), 5],
  ['400', json({ error: { code: 'invalid_request' } }, { status: 400 }), 7],
])('%s is a refusal', async (_name, post, code) => {
  const { runHere: run, server } = await start(post)
  expect(await run(['message', '--text', 'hello'])).toMatchObject({ code, stdout: '' })
  expect(server.requests).toHaveLength(1)
})

it('without a service is 9: nothing was sent', async () => {
  const { runHere: run } = atSession({ url: `http://127.0.0.1:${await refusedPort()}`, sessionId: 's' })
  expect(await run(['message', '--text', 'hello'])).toMatchObject({ code: 9, stdout: '' })
})

it('ends by a signal while it reads standard input', async () => {
  const { start: tool, server } = await start(neverAnswers)
  const run = tool(['message', '--file', '-', '--debug'], { keepStdinOpen: true })
  // More than a pipe holds: once it is written, the program reads.
  await new Promise((resolve) => run.child.stdin?.write('x'.repeat(1_000_000), resolve))
  run.child.kill('SIGINT')
  expect(await run.ended).toMatchObject({ code: 130, stderr: 'interrupted\n' })
  expect(server.requests).toHaveLength(0)
})

test.each([
  [[], 'missing'],
  [['--text', 'a', '--file', '-'], 'exclude each other'],
  [['--text', ' '], 'is empty'],
])('%j is wrong usage', async (args, words) => {
  const { runHere: run, server } = await start(neverAnswers)
  const end = await run(['message', ...args])
  expect(end).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
  expect(server.requests).toHaveLength(0)
})
