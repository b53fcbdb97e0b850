import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  CALL,
  callId,
  deliveryStage,
  errorOf,
  message,
  result,
  resultArgs,
  SESSION,
} from '../helpers/delivery-stage.ts'
import { held } from '../helpers/fault-proxy.ts'
import { json } from '../helpers/scripted-server.ts'
import { toolHome } from '../helpers/tool-home.ts'

describe('a call that waits', () => {
  test('is answered by a kickoff, which lets its turn go on', async () => {
    const stage = await deliveryStage()
    const before = Date.now()
    const end = await stage.run(resultArgs('running', 'started'))
    expect(end.code).toBe(0)
    expect(end.records()).toEqual([
      {
        type: 'herm_tools.result',
        outcome: 'accepted',
        session_id: SESSION,
        tool_use_id: CALL,
        status: 'running',
        event_id: stage.resultId(),
        recorded_at: expect.any(String),
        turns_waited: 0,
      },
    ])
    const recordedAt = Date.parse(String(end.records()[0]?.recorded_at))
    expect(recordedAt).toBeGreaterThanOrEqual(before)
    expect(recordedAt).toBeLessThanOrEqual(Date.now())
    expect(stage.emulator.control.sessions()[0]?.status).toBe('idle')
    expect(stage.posts()).toBe(1)
  })

  test.each(['complete', 'fail'] as const)('is answered by %s at once, within its turn', async (command) => {
    const stage = await deliveryStage()
    const end = await stage.run(resultArgs(command, 'all of it'))
    const status = command === 'complete' ? 'completed' : 'failed'
    expect(end.records()).toMatchObject([{ outcome: 'accepted', status, turns_waited: 0, event_id: stage.resultId() }])
    expect(stage.finals()).toEqual([`${status} all of it`])
    expect(JSON.parse(stage.proxy.posts()[0]?.body ?? '').events[0]).toEqual({
      type: 'user.custom_tool_result',
      tool_use_id: CALL,
      content: [{ type: 'text', text: 'all of it' }],
      status,
      is_error: command === 'fail',
    })
    expect(stage.told()).toEqual([])
  })

  test('takes the same kickoff once, and no other one', async () => {
    const stage = await deliveryStage()
    await stage.run(resultArgs('running', 'started'))
    expect((await stage.run(resultArgs('running', 'started'))).records()).toMatchObject([
      { outcome: 'already_recorded', event_id: stage.resultId() },
    ])
    const other = await stage.run(resultArgs('running', 'started again'))
    expect(other).toMatchObject({ code: 7, stdout: '' })
    expect(stage.posts()).toBe(1)
  })
})

describe('a kickoff for a call that has its final', () => {
  test.each(['complete', 'fail'] as const)(
    'is refused after %s, also where it was recorded before',
    async (command) => {
      const stage = await deliveryStage()
      await stage.run(resultArgs('running', 'started'))
      await stage.run(resultArgs(command, 'done'))
      for (const text of ['started', 'started again']) {
        const end = await stage.run(resultArgs('running', text))
        expect(end).toMatchObject({ code: 7, stdout: '' })
        expect(errorOf(end).message).toContain(`it is ${command === 'complete' ? 'completed' : 'failed'} as `)
      }
      expect(stage.posts()).toBe(2)
    },
  )

  test('is refused on a machine that knows only the kickoff, and on one that knows nothing; both then show it', async () => {
    const stage = await deliveryStage()
    await stage.run(resultArgs('running', 'started'))
    await stage.send(result(CALL, 'completed', 'done'))
    const late = {
      code: 'rejected',
      exit_code: 7,
      message: expect.stringMatching(
        new RegExp(`^${CALL} takes no kickoff any more: it is completed as ${stage.resultId()}, at \\S+Z$`),
      ),
      hint: expect.stringContaining(`herm-tools jobs show ${CALL}`),
    }
    for (const home of [stage.home, toolHome()]) {
      const env = { ...home.env, HERM_BASE_URL: stage.proxy.url }
      expect(errorOf(await stage.run(resultArgs('running', 'started'), { env }))).toMatchObject(late)
      const [shown] = (await stage.run(['jobs', 'show', CALL, '--json'], { env })).records()
      expect(shown).toMatchObject({ state: 'completed', final: { event_id: stage.resultId(), source: 'history' } })
    }
    expect(errorOf(await stage.run(resultArgs('running', 'started', '--no-journal')))).toMatchObject(late)
    expect(stage.posts()).toBe(1)
  })

  test('is still recorded while the call runs, whatever the history lists of it', async () => {
    const stage = await deliveryStage()
    const before = stage.emulator.control.events(SESSION).map(({ envelope }) => envelope)
    await stage.run(resultArgs('running', 'started'))
    stage.proxy.onGets(() => json({ data: before }))
    expect((await stage.run(resultArgs('running', 'started'))).records()).toMatchObject([
      { outcome: 'already_recorded', status: 'running', event_id: stage.resultId() },
    ])
    expect(stage.posts()).toBe(1)
  })
})

describe('a call with a kickoff', () => {
  test('is completed by a final, which takes the place of the kickoff and begins one turn', async () => {
    const stage = await deliveryStage()
    const kickoff = await stage.run(resultArgs('running', 'started'))
    const end = await stage.run(resultArgs('complete', 'done'))
    expect(end.records()).toMatchObject([
      { outcome: 'accepted', status: 'completed', event_id: kickoff.records()[0]?.event_id },
    ])
    expect(stage.finals()).toEqual(['completed done'])
    expect(stage.told()).toEqual(['completed done'])
  })

  test('waits for idle, says so once, and counts the turn', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    await stage.send(message('chatter'))
    const run = stage.start(resultArgs('fail', 'no such film'))
    await run.says(/waiting for idle/, 'stderr')
    for (let events = 0; events < 5; events++) {
      stage.emulator.control.emit(SESSION, { type: 'agent.message', delta: true, content: [] })
    }
    await sleep(100)
    expect(stage.posts()).toBe(0)
    await stage.emulator.clock.advance(60_000)
    const end = await run.ended
    expect(end.records()).toMatchObject([{ outcome: 'accepted', status: 'failed', turns_waited: 1 }])
    expect(end.stderr.match(/waiting for idle/g)).toHaveLength(1)
    expect(stage.told()).toEqual(['failed no such film'])
  })

  test('does not keep another call of its session from being answered', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    await stage.send(message('another'))
    const final = stage.start(resultArgs('complete', 'first done'))
    await final.says(new RegExp(`the turn waits for ${callId(2)}; waiting for idle`), 'stderr')

    const other = (command: string, text: string) =>
      stage.run([command, '--session', SESSION, '--tool-use-id', callId(2), '--text', text, '--json'])
    expect((await other('running', 'started')).code).toBe(0)
    expect((await final.ended).records()).toMatchObject([{ outcome: 'accepted', turns_waited: 1 }])

    await stage.send(message('a third'))
    const second = stage.start([...resultArgs('complete', 'x'), '--tool-use-id', callId(2)])
    await second.says(/waiting for idle/, 'stderr')
    expect((await stage.run([...resultArgs('complete', 'third done'), '--tool-use-id', callId(3)])).code).toBe(0)
    expect((await second.ended).code).toBe(0)
    expect(stage.told()).toEqual(['completed first done', 'completed x'])
  })

  test('that was given a final by somebody else meanwhile ends with 0 for the same, and 3 for another', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    await stage.send(message('slow'))
    const same = stage.start(resultArgs('complete', 'done'))
    const other = stage.start([...resultArgs('complete', 'not that')], { env: toolHome().env })
    await Promise.all([same.says(/waiting for idle/, 'stderr'), other.says(/waiting for idle/, 'stderr')])
    stage.proxy.onGets(() => held(stage.proxy.pass))
    const finalId = stage.resultId()
    stage.emulator.control.emit(SESSION, {
      type: 'session.tool_updated',
      tool_use_id: CALL,
      event_id: finalId,
      payload: result(CALL, 'completed', 'done'),
    })
    expect((await same.ended).records()).toMatchObject([
      { outcome: 'already_recorded', event_id: finalId, status: 'completed' },
    ])
    const end = await other.ended
    expect(end).toMatchObject({ code: 3, stdout: '' })
    expect(errorOf(end)).toMatchObject({ code: 'conflict', exit_code: 3 })
    expect(end.stderr).toContain(String(finalId))
    expect(stage.posts()).toBe(0)
  })
})

describe('a call that nobody asked for', () => {
  test('is not_found after a few looks, and nothing is sent', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    const end = await stage.run([...resultArgs('complete', 'done'), '--tool-use-id', 'toolu_wrong'])
    expect(end).toMatchObject({ code: 5, stdout: '' })
    expect(errorOf(end)).toMatchObject({
      code: 'not_found',
      message: `session ${SESSION} has no tool call toolu_wrong`,
    })
    expect(end.stderr).toContain('looking again')
    expect(stage.posts()).toBe(0)
  })

  test('is sent a final by --force', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    const end = await stage.run([...resultArgs('complete', 'done', '--force'), '--tool-use-id', 'toolu_wrong'])
    expect(end.records()).toMatchObject([{ outcome: 'accepted', tool_use_id: 'toolu_wrong' }])
    expect(stage.told()).toEqual(['completed done'])
  })

  test('is sent a final by --force in a new session too, where no event says that it is idle', async () => {
    const stage = await deliveryStage({ scenario: `{ agents: { a: [] }, sessions: [{ id: ${SESSION}, agent: a }] }` })
    const end = await stage.run(resultArgs('complete', 'done', '--force'))
    expect(end.records()).toMatchObject([{ outcome: 'accepted', turns_waited: 0 }])
    expect(stage.finals()).toEqual(['completed done'])
  })
})

describe('a call that was not answered in time', () => {
  async function expired() {
    const stage = await deliveryStage({ answerLimitMs: 1_000 })
    await stage.emulator.clock.advance(2_000)
    return stage
  }

  test('takes a final', async () => {
    const stage = await expired()
    const end = await stage.run(resultArgs('complete', 'done'))
    expect(end.records()).toMatchObject([{ outcome: 'accepted' }])
    expect(stage.told()).toEqual(['completed done'])
  })

  test('is sent a kickoff with a warning; that the service stored it counts, and a final replaces it', async () => {
    const stage = await expired()
    const end = await stage.run(resultArgs('running', 'late'))
    expect(end.records()).toMatchObject([{ outcome: 'accepted', event_id: stage.resultId() }])
    expect(end.stderr).toMatch(/warning: the turn (went on|ended) without an answer/)
    expect((await stage.run(resultArgs('complete', 'done'))).records()[0]?.event_id).toBe(end.records()[0]?.event_id)
    expect(stage.posts()).toBe(2)
  })
})

test('a call that waits for an approval takes no result', async () => {
  const stage = await deliveryStage()
  await stage.kickOff()
  await stage.send(message('ask'))
  const end = await stage.run([...resultArgs('complete', 'done'), '--tool-use-id', callId(2)])
  expect(end).toMatchObject({ code: 7, stdout: '' })
  expect(stage.posts()).toBe(0)
})

describe('waiting ends', () => {
  test('after --timeout, with 8 and what is waited for', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    await stage.send(message('go'))
    const startedAt = Date.now()
    const end = await stage.run(resultArgs('complete', 'done', '--timeout', '3s'))
    expect(Date.now() - startedAt).toBeLessThan(20_000)
    expect(end).toMatchObject({ code: 8, stdout: '' })
    expect(errorOf(end)).toMatchObject({ code: 'timeout', hint: expect.stringContaining(`--tool-use-id ${callId(2)}`) })
    expect(errorOf(end).message).toContain(`no completed result for ${CALL} was accepted`)
    expect(stage.posts()).toBe(0)
  })

  test('also while another process holds the call, which is named', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    await stage.send(message('slow'))
    const holder = stage.start(resultArgs('complete', 'done'))
    await holder.says(/waiting for idle/, 'stderr')
    const end = await stage.run(resultArgs('complete', 'done', '--timeout', '300ms'))
    expect(end.code).toBe(8)
    expect(errorOf(end).message).toContain(`process ${holder.child.pid} (completed ${CALL})`)
  })
})

test('people get one line about the result', async () => {
  const stage = await deliveryStage()
  const human = (text: string) =>
    stage.run(['complete', '--session', SESSION, '--tool-use-id', CALL, '--text', text, '--quiet'])
  const id = /evt_\d+/
  const end = await human('done')
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(end.stdout).toMatch(new RegExp(`^accepted: ${CALL} is completed as ${id.source}\\n$`))
  expect((await human('done')).stdout).toMatch(/^already recorded: .* as evt_\d+, at \S+; nothing was sent\n$/)
})
