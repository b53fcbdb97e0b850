import { describe, expect, test } from 'vitest'
import { startEmulator } from '../helpers/emulator.ts'
import { message, result, sessionApi } from './api.ts'

const CALL = 'custom_toolu_000001'

/** An agent that calls a tool, and one that only takes its time. */
const SCENARIO = `
agents:
  caller:
    - when: message
      do:
        - call: { tool: render }
        - say: 'the answer: {{answer}}'
    - when: result
      do:
        - say: 'from {{tool}}, {{status}}: {{text}}'
  slow:
    - when: message
      do: [{ wait: 1m }, { say: done }]
sessions:
  - { id: ses_caller, agent: caller }
  - { id: ses_slow, agent: slow }
`

async function start(id = 'ses_caller') {
  const emulator = await startEmulator({ scenario: SCENARIO })
  return { ...emulator, api: sessionApi(emulator.url, id) }
}

describe('a message', () => {
  test('starts a turn, which a call blocks', async () => {
    const { api } = await start()
    const { status, body } = await api.send(message('go'))
    expect(status).toBe(202)
    expect(body).toEqual({ events: [(await api.history())[0]] })
    expect(await api.story()).toEqual([
      'user.message "go"',
      'session.status_running',
      `agent.custom_tool_use ${CALL}`,
      `session.status_idle requires_action ${CALL}`,
    ])
    expect(await api.status()).toBe('requires_action')
  })

  test('has an envelope with every field', async () => {
    const { api } = await start()
    await api.send(message('go'))
    const at = '2026-01-01T00:00:00.000Z'
    expect((await api.history())[2]).toEqual({
      id: 'evt_000003',
      type: 'agent.custom_tool_use',
      sessionId: 'ses_caller',
      sequence: 3,
      status: 'complete',
      payload: { type: 'agent.custom_tool_use', tool_use_id: CALL, name: 'render', input: {} },
      processedAt: at,
      createdAt: at,
    })
  })

  test('is refused while a turn is blocked, or runs', async () => {
    for (const id of ['ses_caller', 'ses_slow']) {
      const { api, control } = await start(id)
      await api.send(message('go'))
      const before = control.events(id).length
      const { status, body } = await api.send(message('again'))
      expect([status, body.error.code]).toEqual([409, 'invalid_state'])
      expect(control.events(id)).toHaveLength(before)
    }
  })
})

describe('the answer to a call', () => {
  test.each(['completed', 'failed'] as const)('immediate, %s: the same turn goes on with it', async (status) => {
    const { api } = await start()
    await api.send(message('go'))
    expect((await api.send(result(CALL, status, 'at once'))).status).toBe(202)
    expect((await api.story()).slice(4)).toEqual([
      `user.custom_tool_result ${CALL} ${status} "at once"`,
      'session.status_running',
      'agent.message "the answer: at once"',
      'session.status_idle end_turn',
    ])
    expect(await api.status()).toBe('idle')
  })

  test('kickoff: the same turn goes on, and the session is idle', async () => {
    const { api } = await start()
    await api.send(message('go'))
    expect((await api.send(result(CALL, 'running', 'started'))).status).toBe(202)
    expect((await api.story()).slice(4)).toEqual([
      `user.custom_tool_result ${CALL} running "started"`,
      'session.status_running',
      'agent.message "the answer: started"',
      'session.status_idle end_turn',
    ])
  })

  test('a second kickoff is stored, and then refused with no_active_turn', async () => {
    const { api } = await start()
    await api.send(message('go'))
    await api.send(result(CALL, 'running'))
    const { status, body } = await api.send(result(CALL, 'running', 'again'))
    expect([status, body.error.code]).toEqual([409, 'no_active_turn'])
    expect((await api.story()).at(-1)).toBe(`user.custom_tool_result ${CALL} running "again"`)
    expect(await api.status()).toBe('idle')
  })

  test('a kickoff for a call that never was is stored, and then refused with no_active_turn', async () => {
    const { api } = await start()
    const { status, body } = await api.send(result('custom_toolu_wrong', 'running'))
    expect([status, body.error.code]).toEqual([409, 'no_active_turn'])
    expect(await api.story()).toEqual(['user.custom_tool_result custom_toolu_wrong running "a result"'])
  })
})

describe('a final', () => {
  async function afterKickoff() {
    const started = await start()
    await started.api.send(message('go'))
    await started.api.send(result(CALL, 'running', 'started'))
    return started
  }

  test.each(['completed', 'failed'] as const)(
    '%s: replaces the running result in place and starts a turn',
    async (status) => {
      const { api, clock } = await afterKickoff()
      const running = (await api.history())[4]
      await clock.advance(60_000)
      const answer = await api.send(result(CALL, status, 'ready'))
      expect(answer.status).toBe(202)
      const updated = {
        ...running,
        payload: result(CALL, status, 'ready'),
        processedAt: '2026-01-01T00:01:00.000Z',
      }
      expect(answer.body).toEqual({ events: [updated] })
      expect((await api.history())[4]).toEqual(updated)
      expect((await api.story()).slice(8)).toEqual([
        'session.status_running',
        `agent.message "from render, ${status}: ready"`,
        'session.status_idle end_turn',
      ])
    },
  )

  test('is told to streams by a patch that has no place in history', async () => {
    const { api, control } = await afterKickoff()
    const stream = await api.stream()
    await api.send(result(CALL, 'completed', 'ready'))
    await expect.poll(() => stream.frames.length).toBe(4)
    const type = 'session.tool_updated'
    const payload = result(CALL, 'completed', 'ready')
    expect(stream.frames[0]).toEqual({
      event: type,
      id: undefined,
      data: {
        type,
        sessionId: 'ses_caller',
        payload: { type, tool_use_id: CALL, event_id: 'evt_000005', payload },
        createdAt: '2026-01-01T00:00:00.000Z',
      },
    })
    expect(control.events('ses_caller').map(({ envelope }) => envelope.type)).not.toContain(type)
  })

  test('sent twice is appended the second time and starts another turn', async () => {
    const { api } = await afterKickoff()
    await api.send(result(CALL, 'completed', 'ready'))
    expect((await api.send(result(CALL, 'completed', 'ready'))).body.events[0].sequence).toBe(12)
    expect((await api.story()).slice(11)).toEqual([
      `user.custom_tool_result ${CALL} completed "ready"`,
      'session.status_running',
      'agent.message "from render, completed: ready"',
      'session.status_idle end_turn',
    ])
  })

  test('for a call that never was is appended and still starts a turn', async () => {
    const { api } = await start()
    expect((await api.send(result('custom_toolu_wrong', 'completed', 'lost'))).status).toBe(202)
    expect(await api.story()).toEqual([
      'user.custom_tool_result custom_toolu_wrong completed "lost"',
      'session.status_running',
      'agent.message "from , completed: lost"',
      'session.status_idle end_turn',
    ])
  })

  test('is refused while another turn is blocked, and nothing of it is stored', async () => {
    const { api } = await afterKickoff()
    await api.send(message('another'))
    const before = await api.history()
    const { status, body } = await api.send(result(CALL, 'completed', 'ready'))
    expect([status, body.error.code]).toEqual([409, 'invalid_state'])
    expect(await api.history()).toEqual(before)
  })

  test('is refused while a turn runs, and accepted once it is idle', async () => {
    const { api, clock } = await start('ses_slow')
    await api.send(message('go'))
    expect(await api.status()).toBe('running')
    const refused = await api.send(result('custom_toolu_x', 'completed'))
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state'])
    await clock.advance(60_000)
    expect(await api.story()).toEqual([
      'user.message "go"',
      'session.status_running',
      'agent.message "done"',
      'session.status_idle end_turn',
    ])
    expect((await api.send(result('custom_toolu_x', 'completed'))).status).toBe(202)
  })

  test('takes the place of the first of several running results', async () => {
    const { api } = await afterKickoff()
    await api.send(result(CALL, 'running', 'again'))
    expect((await api.send(result(CALL, 'completed', 'ready'))).body.events[0].sequence).toBe(5)
  })
})

describe('several events in one request', () => {
  test('are taken in order', async () => {
    const { api } = await start('ses_slow')
    const { status, body } = await api.send(
      message('go'),
      { type: 'user.steer', message: 'faster' },
      { type: 'user.interrupt' },
    )
    expect(status).toBe(202)
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'user.message',
      'user.steer',
      'user.interrupt',
    ])
  })

  test('end at the first that the state does not allow; those before it stay', async () => {
    const { api } = await start('ses_slow')
    const { status, body } = await api.send(message('go'), result('custom_toolu_x', 'completed'), {
      type: 'user.interrupt',
    })
    expect([status, body.error.code]).toEqual([409, 'invalid_state'])
    expect(await api.story()).toEqual(['user.message "go"', 'session.status_running'])
  })
})

describe('steering and interrupting', () => {
  test.each([{ type: 'user.steer', message: 'left' }, { type: 'user.interrupt' }])(
    '%j is refused when no turn runs',
    async (event) => {
      const { api, control } = await start()
      const { status, body } = await api.send(event)
      expect([status, body.error.code]).toEqual([409, 'invalid_state'])
      expect(control.events('ses_caller')).toEqual([])
    },
  )

  test('a steer is stored while a turn runs or is blocked', async () => {
    for (const id of ['ses_caller', 'ses_slow']) {
      const { api } = await start(id)
      await api.send(message('go'))
      expect((await api.send({ type: 'user.steer', message: 'left' })).status).toBe(202)
      expect((await api.story()).at(-1)).toBe('user.steer')
    }
  })

  test('an interrupt ends a running turn, and what it still had to say is not said', async () => {
    const { api, clock } = await start('ses_slow')
    await api.send(message('go'))
    expect((await api.send({ type: 'user.interrupt', message: 'stop' })).status).toBe(202)
    await clock.advance(120_000)
    expect((await api.story()).slice(2)).toEqual(['user.interrupt', 'session.status_idle end_turn'])
    expect(clock.sleepers()).toBe(0)
  })

  test('an interrupt ends a blocked turn; a kickoff is then too late', async () => {
    const { api, clock } = await start()
    await api.send(message('go'))
    await api.send({ type: 'user.interrupt' })
    expect(await api.status()).toBe('idle')
    expect(clock.sleepers()).toBe(0)
    expect((await api.send(result(CALL, 'running'))).body.error.code).toBe('no_active_turn')
    expect((await api.send(message('next'))).status).toBe(202)
  })
})
