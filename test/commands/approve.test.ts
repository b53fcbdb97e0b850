import { describe, expect, it, test } from 'vitest'
import { confirmation, result } from '../emulator/api.ts'
import { approvalStage, DEPLOY, PUBLISH, RENDER, SESSION } from '../helpers/approval-stage.ts'
import { atScriptedSession } from '../helpers/at-session.ts'
import { errorOf } from '../helpers/delivery-stage.ts'
import { type Behaviour, json } from '../helpers/scripted-server.ts'
import { idle, refusal } from '../helpers/session-events.ts'
import { event } from '../protocol/session-log.ts'

const approve = (id: string, ...more: string[]) => [
  'approve',
  '--tool-use-id',
  id,
  '--settle',
  '300ms',
  '--json',
  ...more,
]

const taken = json({}, { status: 202 })

describe('a call that awaits approval', () => {
  test('is approved, and the event that says so is told', async () => {
    const stage = await approvalStage()
    const end = await stage.run(approve(DEPLOY))
    expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(end.records()).toEqual([
      {
        type: 'herm_tools.confirmation',
        outcome: 'accepted',
        session_id: SESSION,
        tool_use_id: DEPLOY,
        name: 'deploy',
        result: 'allow',
        event_id: stage.emulator.control.events(SESSION).find(({ envelope }) => envelope.type.endsWith('confirmation'))
          ?.envelope.id,
      },
    ])
    expect(stage.confirmations()).toEqual([{ type: 'user.tool_confirmation', tool_use_id: DEPLOY, result: 'allow' }])
  })

  test('is told to people in a line', async () => {
    const { run } = await approvalStage()
    const command = ['approve', '--tool-use-id', DEPLOY]
    expect((await run(command)).stdout).toMatch(/^approved: custom_toolu_000001, a call of deploy, as evt_\d+\n$/)
    expect((await run(command)).stdout).toMatch(/^already approved: .*; nothing is changed\n$/)
  })

  test('has its session remembered for the answer', async () => {
    const stage = await approvalStage()
    await stage.run(approve(DEPLOY))
    const end = await stage.run(['running', '--tool-use-id', DEPLOY, '--text', 'begun', '--json'], {
      env: { HERM_SESSION: '' },
    })
    expect(end.records()).toMatchObject([{ session_id: SESSION, status: 'running' }])
  })
})

test('a second approval sends nothing, also once the call is answered', async () => {
  const stage = await approvalStage()
  await stage.run(approve(DEPLOY))
  await stage.api.send(result(DEPLOY, 'completed'))
  const end = await stage.run(approve(DEPLOY))
  expect(end.code).toBe(0)
  expect(end.records()).toMatchObject([{ outcome: 'already_recorded', result: 'allow' }])
  expect(stage.confirmations()).toHaveLength(1)
})

test('what was denied is a conflict', async () => {
  const stage = await approvalStage()
  await stage.api.send(confirmation(DEPLOY, 'deny'))
  const end = await stage.run(approve(DEPLOY))
  expect(end).toMatchObject({ code: 3, stdout: '' })
  expect(errorOf(end).message).toMatch(/^custom_toolu_000001 was already denied, as evt_\d+; nothing is changed$/)
  expect(stage.confirmations()).toHaveLength(1)
})

test('a call that the session does not have is 5', async () => {
  const { run } = await approvalStage()
  expect(await run(approve('custom_toolu_9'))).toMatchObject({ code: 5, stdout: '' })
})

test('a call that needs no approval is 7, and the hint is the command that answers it', async () => {
  const { run } = await approvalStage()
  const end = await run(approve(RENDER))
  expect(end).toMatchObject({ code: 7, stdout: '' })
  expect(errorOf(end)).toMatchObject({
    message: `${RENDER} waits for its result, and for no approval`,
    hint: expect.stringContaining(`herm-tools running --session ${SESSION} --tool-use-id ${RENDER}`),
  })
})

test('a call whose turn is over is 7', async () => {
  const stage = await approvalStage()
  await stage.api.send({ type: 'user.interrupt' })
  const end = await stage.run(approve(DEPLOY))
  expect(end).toMatchObject({ code: 7, stdout: '' })
  expect(errorOf(end).message).toBe(`${DEPLOY} awaits no approval: its turn ended without an answer`)
})

describe('when the answer of the service is lost', () => {
  it.each(['accepted-cut', 'accepted-error=502', 'accepted-garbled'])('%s: history has the outcome', async (fault) => {
    const stage = await approvalStage()
    await stage.break(`${fault},count=1`)
    const end = await stage.run(approve(DEPLOY))
    expect(end.code).toBe(0)
    expect(end.records()).toMatchObject([{ outcome: 'accepted', event_id: expect.stringMatching(/^evt_/) }])
    expect(stage.confirmations()).toHaveLength(1)
  })

  it('is found though history lags', async () => {
    const stage = await approvalStage()
    await stage.emulator.clock.advance(5_000)
    await stage.break('accepted-cut,count=1', 'history-lag=2s')
    const run = stage.start(approve(DEPLOY, '--settle', '1m'))
    await run.says(/looking for the answer in the history/, 'stderr')
    await stage.emulator.clock.advance(3_000)
    expect((await run.ended).records()).toMatchObject([{ outcome: 'accepted' }])
    expect(stage.confirmations()).toHaveLength(1)
  })

  it('is 6 when history does not have it, and the hint says how to look', async () => {
    const stage = await approvalStage()
    await stage.break('post-cut,count=1')
    const end = await stage.run(approve(DEPLOY))
    expect(end).toMatchObject({ code: 6, stdout: '' })
    expect(errorOf(end).hint).toContain(`herm-tools pending ${SESSION}`)
    expect((await stage.run(approve(DEPLOY))).records()).toMatchObject([{ outcome: 'accepted' }])
  })
})

test.each([
  ['the same way is no failure', 'allow', 0],
  ['the other way is a conflict', 'deny', 3],
] as const)('what somebody else answered before history showed it: %s', async (_name, verdict, code) => {
  const stage = await approvalStage()
  await stage.emulator.clock.advance(5_000)
  await stage.break('history-lag=2s')
  await stage.api.send(confirmation(DEPLOY, verdict))
  const run = stage.start(approve(DEPLOY))
  await run.says(/looking for the answer in the history/, 'stderr')
  await stage.emulator.clock.advance(3_000)
  const end = await run.ended
  expect(end.code).toBe(code)
  expect(end.records().map(({ outcome }) => outcome)).toEqual(code === 0 ? ['already_recorded'] : [])
})

describe('--all', () => {
  const all = ['approve', '--all', '--settle', '300ms', '--json']

  it('approves every call that awaits it, and none a second time', async () => {
    const stage = await approvalStage()
    const end = await stage.run(all)
    expect(end.code).toBe(0)
    expect(end.records()).toMatchObject([
      { tool_use_id: DEPLOY, outcome: 'accepted' },
      { tool_use_id: PUBLISH, outcome: 'accepted' },
    ])
    expect(await stage.run(all)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `session ${SESSION} has no call that awaits approval\n`,
    })
    expect(stage.confirmations()).toHaveLength(2)
  })

  it('tries every call, and ends as the worst', async () => {
    const stage = await approvalStage()
    await stage.break('post-refused=422,count=1')
    const end = await stage.run(all)
    expect(end.code).toBe(7)
    expect(end.records()).toMatchObject([{ tool_use_id: PUBLISH, outcome: 'accepted' }])

    const other = await approvalStage()
    await other.break('post-refused=422,count=1', 'post-cut,count=1')
    const both = await other.run(all)
    expect(both).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('warning: ') })
  })

  it('is 6 when one is in doubt, also when the key is refused after it', async () => {
    const stage = await approvalStage()
    await stage.break('post-cut,count=1', 'post-refused=401')
    const end = await stage.run(all)
    expect(end).toMatchObject({ code: 6, stdout: '' })
    expect(errorOf(end).message).toContain('whether it was accepted is not known')
    expect(end.stderr).toMatch(/warning: .* 401 unauthorized/)
  })

  it('is 1 when the key is refused after a call was answered, and says what is left', async () => {
    const at = await atThreeCalls([taken, refusal(401, 'revoked')])
    const end = await at.run(all)
    expect(end.code).toBe(1)
    expect(end.records()).toMatchObject([{ tool_use_id: DEPLOY, outcome: 'accepted' }])
    expect(errorOf(end).message).toContain(`accepted before: 1, left: ${PUBLISH}, ${RENDER}`)
  })

  it.each([
    ['at once', [], 7, `accepted before: 0, left: ${DEPLOY}, ${PUBLISH}, ${RENDER}`],
    ['later', [taken], 1, `accepted before: 1, left: ${PUBLISH}, ${RENDER}`],
    ['after another refusal', [refusal(422, 'odd')], 7, `accepted before: 0, left: ${PUBLISH}, ${RENDER}`],
  ])('sends no more once the service is busy, and says what is left: %s', async (_when, before, code, words) => {
    const busy = json({}, { status: 429, headers: { 'retry-after': '7' } })
    const at = await atThreeCalls([...before, busy])
    const end = await at.run(all)
    expect(end.code).toBe(code)
    expect(errorOf(end).message).toContain(words)
    expect(errorOf(end).hint).toContain('Wait 7 s, and run the same command again.')
    expect(at.server.asked('post')).toHaveLength(before.length + 1)
  })

  it('answers every call though nobody reads what it prints', async () => {
    const stage = await approvalStage()
    const run = stage.start(all)
    run.child.stdout?.destroy()
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' })
    expect(stage.confirmations()).toHaveLength(2)
  })
})

/** A session in which three calls await approval; each answer is taken as `posts` say, the last again and again. */
async function atThreeCalls(posts: readonly Behaviour[]) {
  const calls = [DEPLOY, PUBLISH, RENDER]
  const asked = calls.map((id, at) =>
    event(at + 1, 'agent.approval_request', { tool_use_id: id, name: 'deploy', input: {} }),
  )
  let count = 0
  return atScriptedSession({
    history: [...asked, idle(4, { type: 'requires_action', event_ids: calls })],
    post: { readsBody: true, run: (exchange) => (posts[count++] ?? (posts.at(-1) as Behaviour)).run(exchange) },
  })
}

test.each([
  [[], "required option '--tool-use-id <id>' not specified"],
  [['--all', '--tool-use-id', DEPLOY], 'cannot be used with'],
  [['--tool-use-id', ''], 'It is empty'],
])('%j is wrong usage', async (args, words) => {
  const { run } = await approvalStage()
  const end = await run(['approve', ...args])
  expect(end).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
})
