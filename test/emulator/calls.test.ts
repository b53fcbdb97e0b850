import { describe, expect, test } from 'vitest'
import { startEmulator } from '../helpers/emulator.ts'
import { confirmation, message, result, sessionApi } from './api.ts'

const [A, B] = ['custom_toolu_000001', 'custom_toolu_000002']
const FIVE_MINUTES = 5 * 60_000

async function start(step: string, options: { answerLimitMs?: number } = {}) {
  const scenario = `
agents:
  agent:
    - when: message
      do:
        - ${step}
        - say: '{{status}}: {{answer}}'
sessions:
  - { id: ses_1, agent: agent }
`
  const emulator = await startEmulator({ ...options, scenario })
  const api = sessionApi(emulator.url, 'ses_1')
  await api.send(message('go'))
  return { ...emulator, api }
}

describe('several calls at once', () => {
  const TWO = 'calls: [{ tool: cut }, { tool: mix, input: { loud: true } }]'

  test('block the turn together; answering one leaves the other', async () => {
    const { api } = await start(TWO)
    await api.send(result(B, 'completed', 'mixed'))
    await api.send(result(A, 'failed', 'blunt'))
    expect((await api.story()).slice(2)).toEqual([
      `agent.custom_tool_use ${A}`,
      `agent.custom_tool_use ${B}`,
      `session.status_idle requires_action ${A}+${B}`,
      `user.custom_tool_result ${B} completed "mixed"`,
      `session.status_idle requires_action ${A}`,
      `user.custom_tool_result ${A} failed "blunt"`,
      'session.status_running',
      'agent.message "failed, completed: blunt\nmixed"',
      'session.status_idle end_turn',
    ])
  })

  test('may be answered in one request', async () => {
    const { api } = await start(TWO)
    const { status, body } = await api.send(result(A, 'running'), result(B, 'running'))
    expect([status, body.events.length]).toEqual([202, 2])
    expect(await api.status()).toBe('idle')
  })

  test('a second answer to one of them is late only for that one', async () => {
    const { api } = await start(TWO)
    await api.send(result(A, 'running'))
    expect((await api.send(result(A, 'completed'))).body.error.code).toBe('invalid_state')
    expect((await api.send(result(A, 'running'))).body.error.code).toBe('no_active_turn')
    expect((await api.send(result(B, 'completed'))).status).toBe(202)
  })
})

describe('approvals', () => {
  const ASK = 'call: { tool: deploy, input: { to: prod }, policy: always_ask }'

  test('an allowed call is asked for under the same id, and then waits for its answer', async () => {
    const { api } = await start(ASK)
    expect((await api.send(confirmation(A, 'allow'))).status).toBe(202)
    expect(await api.status()).toBe('requires_action')
    await api.send(result(A, 'completed', 'deployed'))
    expect((await api.story()).slice(2)).toEqual([
      `agent.approval_request ${A}`,
      `session.status_idle requires_action ${A}`,
      `user.tool_confirmation ${A} allow`,
      `agent.custom_tool_use ${A}`,
      `session.status_idle requires_action ${A}`,
      `user.custom_tool_result ${A} completed "deployed"`,
      'session.status_running',
      'agent.message "completed: deployed"',
      'session.status_idle end_turn',
    ])
    expect((await api.history())[2]?.payload).toMatchObject({ tool_use_id: A, name: 'deploy', input: { to: 'prod' } })
  })

  test('a denied call is never made; the turn goes on with the reason', async () => {
    const { api } = await start(ASK)
    await api.send(confirmation(A, 'deny', 'not on a Friday'))
    expect((await api.story()).slice(4)).toEqual([
      `user.tool_confirmation ${A} deny`,
      'session.status_running',
      'agent.message "denied: not on a Friday"',
      'session.status_idle end_turn',
    ])
  })

  test('a result does not answer an approval', async () => {
    const { api, control } = await start(ASK)
    const before = control.events('ses_1').length
    for (const status of ['running', 'completed'] as const) {
      expect((await api.send(result(A, status))).body.error.code).toBe('invalid_state')
    }
    expect(control.events('ses_1')).toHaveLength(before)
  })

  test('a confirmation that nothing waits for is refused and not stored', async () => {
    const { api, control } = await start(ASK)
    await api.send(confirmation(A, 'allow'))
    const before = control.events('ses_1').length
    for (const id of [A, 'custom_toolu_wrong']) {
      const { status, body } = await api.send(confirmation(id, 'allow'))
      expect([status, body.error.code]).toEqual([409, 'invalid_state'])
    }
    expect(control.events('ses_1')).toHaveLength(before)
  })

  test('always_deny never calls', async () => {
    const { api } = await start('call: { tool: deploy, policy: always_deny }')
    expect(await api.story()).toEqual([
      'user.message "go"',
      'session.status_running',
      'agent.message "denied: "',
      'session.status_idle end_turn',
    ])
  })
})

describe('the answer limit', () => {
  test('an answer is in time at five minutes exactly', async () => {
    const { api, clock } = await start('call: { tool: render }')
    await clock.advance(FIVE_MINUTES)
    expect((await api.send(result(A, 'completed', 'just'))).status).toBe(202)
    expect((await api.story()).at(-2)).toBe('agent.message "completed: just"')
    expect(clock.sleepers()).toBe(0)
  })

  test('after it the turn goes on without the answer', async () => {
    const { api, clock } = await start('call: { tool: render }')
    await clock.advance(FIVE_MINUTES + 1)
    expect((await api.story()).slice(4)).toEqual([
      'session.status_running',
      'agent.message "expired: "',
      'session.status_idle end_turn',
    ])
  })

  test('a kickoff after it is stored and refused; the final then replaces it and starts a turn', async () => {
    const { api, clock } = await start('call: { tool: render }')
    await clock.advance(FIVE_MINUTES + 1)
    const kickoff = await api.send(result(A, 'running', 'late'))
    expect([kickoff.status, kickoff.body.error.code]).toEqual([409, 'no_active_turn'])
    const stored = (await api.history()).at(-1)
    expect(stored?.payload).toMatchObject({ tool_use_id: A, status: 'running' })
    const final = await api.send(result(A, 'completed', 'late but done'))
    expect(final.status).toBe(202)
    expect(final.body.events[0]).toMatchObject({ id: stored?.id, sequence: stored?.sequence })
  })

  test('an immediate answer after it, while the same turn runs, is stored and refused', async () => {
    const { api, clock } = await start('calls: [{ tool: cut }, { tool: ask, policy: always_ask }]')
    await clock.advance(FIVE_MINUTES - 1)
    await api.send(confirmation(B, 'allow'))
    await clock.advance(2)
    expect((await api.story()).at(-1)).toBe(`session.status_idle requires_action ${B}`)
    const { status, body } = await api.send(result(A, 'completed', 'late'))
    expect([status, body.error.code]).toEqual([409, 'no_active_turn'])
    expect((await api.story()).at(-1)).toBe(`user.custom_tool_result ${A} completed "late"`)
    expect((await api.send(result(A, 'completed', 'later'))).body.error.code).toBe('invalid_state')
  })

  test('begins for an approved call when it is made', async () => {
    const { api, clock } = await start('call: { tool: deploy, policy: always_ask }')
    await clock.advance(FIVE_MINUTES)
    await api.send(confirmation(A, 'allow'))
    await clock.advance(FIVE_MINUTES)
    expect((await api.send(result(A, 'completed'))).status).toBe(202)
  })

  test('does not hold for approvals', async () => {
    const { api, clock } = await start('call: { tool: deploy, policy: always_ask }')
    await clock.advance(10 * FIVE_MINUTES)
    expect(await api.status()).toBe('requires_action')
    expect((await api.send(confirmation(A, 'allow'))).status).toBe(202)
  })

  test('can be set', async () => {
    const { api, clock } = await start('call: { tool: render }', { answerLimitMs: 1_000 })
    await clock.advance(1_001)
    expect(await api.status()).toBe('idle')
  })
})
