import { describe, expect, it, test } from 'vitest'
import { approvalStage, SESSION } from '../helpers/approval-stage.ts'
import { errorOf } from '../helpers/delivery-stage.ts'

const steer = ['steer', '--text', 'Be quick.', '--json']

test('tells the agent something while its turn runs', async () => {
  const stage = await approvalStage()
  const end = await stage.runHere(steer)
  const [sent] = stage.emulator.control.events(SESSION).slice(-1)
  expect(sent?.envelope.payload).toEqual({ type: 'user.steer', message: 'Be quick.' })
  expect(end.records()).toEqual([
    { type: 'herm_tools.steer', outcome: 'accepted', session_id: SESSION, event_id: sent?.envelope.id },
  ])
  const piped = await stage.runHere(['steer', SESSION, '--file', '-'], { stdin: 'Shorter.' })
  expect(piped.stdout).toMatch(/^accepted: steer to ses_1 as evt_\d+\n$/)
})

test('is refused where no turn runs', async () => {
  const stage = await approvalStage()
  await stage.api.send({ type: 'user.interrupt' })
  const end = await stage.runHere(steer)
  expect(end).toMatchObject({ code: 7, stdout: '' })
  expect(errorOf(end)).toMatchObject({
    code: 'invalid_state',
    hint: expect.stringContaining('No turn is running'),
  })
})

describe('when the answer is lost, it is 6, is not sent again, and the hint says how to look', () => {
  it.each(['accepted-cut', 'post-cut'])('%s', async (fault) => {
    const stage = await approvalStage()
    await stage.break(fault)
    const end = await stage.runHere(steer)
    expect(end).toMatchObject({ code: 6, stdout: '' })
    expect(errorOf(end).hint).toContain(`herm-tools events ${SESSION} --type user.steer --last 1`)
    const steers = stage.emulator.control.events(SESSION).filter(({ envelope }) => envelope.type === 'user.steer')
    expect(steers).toHaveLength(fault === 'accepted-cut' ? 1 : 0)
  })
})

test.each([
  [[], 'the text is missing'],
  [['--text', ' '], 'the text is empty'],
  [['--text', 'a', '--file', '-'], 'exclude each other'],
])('%j is wrong usage', async (args, words) => {
  const { runHere: run } = await approvalStage()
  expect(await run(['steer', ...args])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(words),
  })
})
