import { expect, it, test } from 'vitest'
import { approvalStage, SESSION } from '../helpers/approval-stage.ts'
import { errorOf } from '../helpers/delivery-stage.ts'

test.each([
  [[], { type: 'user.interrupt' }],
  [['--message', 'Withdrawn.'], { type: 'user.interrupt', message: 'Withdrawn.' }],
])('ends the turn, whatever it waits for: %j', async (args, payload) => {
  const stage = await approvalStage()
  const end = await stage.run(['interrupt', ...args, '--json'])
  const [sent, idle] = stage.emulator.control.events(SESSION).slice(-2)
  expect(sent?.envelope.payload).toEqual(payload)
  expect(idle?.envelope.payload).toMatchObject({ stop_reason: { type: 'end_turn' } })
  expect(end.records()).toEqual([
    { type: 'herm_tools.interrupt', outcome: 'accepted', session_id: SESSION, event_id: sent?.envelope.id },
  ])
  expect((await stage.run(['wait'])).code).toBe(0)
})

test('is refused where no turn runs', async () => {
  const stage = await approvalStage()
  await stage.run(['interrupt'])
  const end = await stage.run(['interrupt', SESSION, '--json'])
  expect(end).toMatchObject({ code: 7, stdout: '' })
  expect(errorOf(end)).toMatchObject({ code: 'invalid_state', hint: expect.stringContaining('No turn is running') })
})

it.each(['accepted-cut', 'post-cut'])('is 6 when the answer is lost, and says how to look: %s', async (fault) => {
  const stage = await approvalStage()
  await stage.break(fault)
  const end = await stage.run(['interrupt', '--json'])
  expect(end).toMatchObject({ code: 6, stdout: '' })
  expect(errorOf(end).hint).toContain(`herm-tools events ${SESSION} --type user.interrupt --last 1`)
})
