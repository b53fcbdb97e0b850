import { describe, expect, it, test } from 'vitest'
import type { RawEvent } from '../../src/protocol/envelope.ts'
import { confirmation, message, result, sessionApi } from '../emulator/api.ts'
import { atScriptedSession, atSession } from '../helpers/at-session.ts'
import { errorOf } from '../helpers/delivery-stage.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { json, liveStream } from '../helpers/scripted-server.ts'
import { frameOf } from '../helpers/scripted-session.ts'
import { idle, said } from '../helpers/session-events.ts'
import { event } from '../protocol/session-log.ts'

const SESSION = 'ses_1'
const CALL = 'custom_toolu_000001'
const SCENARIO = `
agents:
  talker:
    - when: message
      matches: ^fail$
      do: [{ say: oh }, { error: it broke }]
    - when: message
      matches: ^call$
      do: [{ say: I ask. }, { call: { tool: render, policy: always_ask } }, { say: 'It said {{answer}}.' }]
    - when: message
      matches: ^slow$
      do: [{ wait: 5s }, { say: at last }]
    - when: message
      matches: ^silent$
      do: [{ wait: 1ms }]
    - when: message
      do: [{ say: two words, deltas: true }, { say: "you said\\n{{text}}\\e[2J" }]
sessions:
  - { id: ${SESSION}, agent: talker }
`

async function stage() {
  const emulator = await startEmulator({ scenario: SCENARIO })
  const tool = atSession({ url: emulator.url, sessionId: SESSION })
  const events = () => emulator.control.events(SESSION).map(({ envelope }) => envelope)
  return {
    ...emulator,
    ...tool,
    api: sessionApi(emulator.url, SESSION),
    events,
    messages: () => events().filter(({ type }) => type === 'user.message'),
    ask: (text: string, ...more: string[]) => tool.start(['message', '--text', text, '--wait', ...more]),
    break: (...faults: string[]) =>
      fetch(`${emulator.url}/_emulator/faults`, { method: 'PUT', body: JSON.stringify({ faults }) }),
  }
}

describe('the reply', () => {
  it('is the text that the agent says in the turn, and is safe for a terminal', async () => {
    const { ask } = await stage()
    const end = await ask('hello').ended
    expect(end).toMatchObject({ code: 0, stdout: 'two words\nyou said\nhello\n' })
    expect(end.stderr).toMatch(/^the message is accepted as evt_\d+; waiting for the end of its turn\n$/)
  })

  it('is a record after that of the message', async () => {
    const { ask, events } = await stage()
    const end = await ask('hello', '--json').ended
    const wholes = events().filter(({ type, payload }) => type === 'agent.message' && payload.delta === false)
    const id = events().find(({ type }) => type === 'user.message')?.id
    expect(end.records()).toEqual([
      { type: 'herm_tools.message', outcome: 'accepted', session_id: SESSION, event_id: id },
      {
        type: 'herm_tools.reply',
        session_id: SESSION,
        message_event_id: id,
        stop_reason: { type: 'end_turn' },
        text: 'two words\nyou said\nhello\u001b[2J',
        event_ids: wholes.map((event) => event.id),
      },
    ])
  })

  it('is printed, and the end is 1, when the turn ends in an error', async () => {
    const { ask } = await stage()
    const end = await ask('fail').ended
    expect(end).toMatchObject({ code: 1, stdout: 'oh\n' })
    expect(end.stderr).toContain('error: the turn ended in an error: it broke\n')
  })

  it('may be nothing at all', async () => {
    const { ask, clock } = await stage()
    const run = ask('silent')
    await run.says(/is accepted/, 'stderr')
    await clock.advance(1)
    expect(await run.ended).toMatchObject({ code: 0, stdout: '' })
  })
})

test('an earlier turn that history lists late is not taken for the one of the message', async () => {
  const { ask, api, clock, ...emulator } = await stage()
  await api.send(message('fail'))
  await emulator.break('history-lag=2s')
  const run = ask('slow', '--json')
  await run.says(/"event_id"/)
  await clock.advance(3_000)
  await clock.advance(3_000)
  const end = await run.ended
  expect(end.code).toBe(0)
  expect(end.records()).toMatchObject([{}, { text: 'at last', stop_reason: { type: 'end_turn' } }])
})

describe('where the service does not tell the event of the message, history does', () => {
  it.each(['accepted-cut', 'accepted-error=500', 'accepted-empty', 'accepted-garbled'])('%s', async (fault) => {
    const { ask, messages, ...emulator } = await stage()
    await ask('hello').ended
    await emulator.break(`${fault},count=1`)
    const end = await ask('hello', '--json').ended
    expect(end.code).toBe(0)
    expect(end.records()).toMatchObject([{ event_id: messages()[1]?.id }, { message_event_id: messages()[1]?.id }])
    expect(messages()).toHaveLength(2)
  })

  it('or it is 6, and nothing is sent again', async () => {
    const { ask, messages, ...emulator } = await stage()
    await emulator.break('post-cut')
    const end = await ask('hello', '--settle', '300ms', '--json').ended
    expect(end).toMatchObject({ code: 6, stdout: '' })
    expect(errorOf(end).hint).toContain(`herm-tools events ${SESSION} --type user.message --last 1`)
    expect(messages()).toEqual([])
  })
})

test('a turn that waits for calls is waited for, and each answer that is missing is said once', async () => {
  const { ask, api } = await stage()
  const run = ask('call')
  await run.says(/the approval of/, 'stderr')
  await api.send(confirmation(CALL, 'allow'))
  await run.says(/herm-tools running/, 'stderr')
  await api.send(result(CALL, 'completed', '42'))
  const end = await run.ended
  expect(end).toMatchObject({ code: 0, stdout: 'I ask.\nIt said 42.\n' })
  const where = `--session ${SESSION} --tool-use-id ${CALL}`
  expect(end.stderr.split('\n').slice(1)).toEqual([
    `the turn waits for the approval of ${CALL} (render). To answer it: herm-tools approve ${where}`,
    `the turn waits for ${CALL} (render). To answer it: herm-tools running ${where} --text 'Started.'`,
    '',
  ])
})

test('a turn that is not over in time is 8, and the message is not in doubt', async () => {
  const { ask, messages } = await stage()
  const end = await ask('slow', '--timeout', '2s', '--json').ended
  expect(end.code).toBe(8)
  expect(end.records()).toMatchObject([{ type: 'herm_tools.message' }])
  expect(errorOf(end)).toMatchObject({
    message: expect.stringContaining(`a turn is still running; the message is accepted as ${messages()[0]?.id}`),
    hint: `See how it goes on: herm-tools watch ${SESSION}`,
  })
})

test('a signal ends it, and it says that the message is accepted', async () => {
  const { ask } = await stage()
  const run = ask('slow')
  await run.says(/is accepted/, 'stderr')
  run.child.kill('SIGINT')
  const end = await run.ended
  expect(end).toMatchObject({ code: 130, stdout: '' })
  expect(end.stderr).toMatch(/interrupted; the message is accepted as evt_\d+\nhint: .*herm-tools watch/)
})

test('a stream that fails after the message is accepted does not leave it in doubt', async () => {
  const { ask, messages, ...emulator } = await stage()
  const run = ask('slow', '--json')
  await run.says(/is accepted/, 'stderr')
  await emulator.break('stream-refused=401', 'history-error=401')
  emulator.control.dropStreams()
  const end = await run.ended
  expect(end.code).toBe(4)
  expect(errorOf(end)).toMatchObject({
    message: expect.stringContaining(`; the message is accepted as ${messages()[0]?.id}`),
    hint: `See how it goes on: herm-tools watch ${SESSION}`,
  })
})

test('it is refused while a turn runs, as without --wait', async () => {
  const { ask, api, messages } = await stage()
  await api.send(message('slow'))
  const end = await ask('hello', '--json').ended
  expect(end).toMatchObject({ code: 7, stdout: '' })
  expect(errorOf(end).hint).toContain(`herm-tools wait ${SESSION}`)
  expect(messages()).toHaveLength(1)
})

describe('a turn that is told as it comes', () => {
  const MESSAGE = { sequence: 2, type: 'user.message', payload: { type: 'user.message' } }

  /** Asks a session of a scripted service, which gives these events after the message. */
  async function asked(accepted: object, events: readonly RawEvent[], ...more: string[]) {
    const stream = liveStream()
    const place = await atScriptedSession({
      history: [idle(1)],
      streams: [stream.behaviour],
      post: json({ events: [accepted] }, { status: 202 }),
    })
    const run = place.start(['message', '--text', 'hello', '--wait', ...more])
    await run.says(/is accepted/, 'stderr')
    for (const one of [event(2, 'user.message'), ...events]) stream.send(frameOf(one))
    return run.ended
  }

  it('has a message that grew once, as it was last, and in its place', async () => {
    const grown = [said(3, 'It is'), said(3, 'It is late'), said(3, 'It is late.'), said(4, 'Good night.'), idle(5)]
    const end = await asked({ ...MESSAGE, id: 'evt_2' }, grown, '--json')
    expect(end.records()[1]).toMatchObject({ text: 'It is late.\nGood night.', event_ids: ['evt_3', 'evt_4'] })
  })

  it('has no ids but those that the service gave', async () => {
    const part = (sequence: number, text: string) =>
      event(sequence, 'agent.message', { content: [{ type: 'text', text }], delta: true }, { id: undefined })
    const turn = [part(3, 'two '), part(4, 'words'), idle(5)]
    const end = await asked({ ...MESSAGE, id: 'evt_2' }, turn, '--json')
    expect(end.records()[1]).toMatchObject({ text: 'two words', event_ids: [] })
  })

  it('is told without the id of a message that has none', async () => {
    const end = await asked(MESSAGE, [said(3), idle(4)])
    expect(end).toMatchObject({ code: 0, stdout: 'hello\n' })
    expect(end.stderr).toBe('the message is accepted; waiting for the end of its turn\n')

    const late = await asked(MESSAGE, [said(3)], '--timeout', '3s')
    expect(late.code).toBe(8)
    expect(late.stderr).toContain('; the message is accepted\n')
  })
})
