import { expect, test } from 'vitest'
import { confirmation } from '../emulator/api.ts'
import { approvalStage, DEPLOY, PUBLISH } from '../helpers/approval-stage.ts'

test('a call is denied, with the reason for the agent', async () => {
  const stage = await approvalStage()
  const end = await stage.run(['deny', '--tool-use-id', DEPLOY, '--message', 'Not on a Friday.'])
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(end.stdout).toMatch(/^denied: custom_toolu_000001, a call of deploy, as evt_\d+\n$/)
  expect(stage.confirmations()).toEqual([
    { type: 'user.tool_confirmation', tool_use_id: DEPLOY, result: 'deny', deny_message: 'Not on a Friday.' },
  ])
})

test('a second denial sends nothing; one of what was approved is a conflict', async () => {
  const stage = await approvalStage()
  await stage.api.send(confirmation(DEPLOY, 'deny'), confirmation(PUBLISH, 'allow'))
  const again = await stage.run(['deny', '--tool-use-id', DEPLOY, '--json'])
  expect(again.records()).toMatchObject([{ outcome: 'already_recorded', result: 'deny' }])
  expect(await stage.run(['deny', '--tool-use-id', PUBLISH])).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('was already approved'),
  })
  expect(stage.confirmations()).toHaveLength(2)
})

test('--all denies what is left', async () => {
  const stage = await approvalStage()
  await stage.api.send(confirmation(DEPLOY, 'allow'))
  const end = await stage.run(['deny', '--all', '--json'])
  expect(end.records()).toMatchObject([{ tool_use_id: PUBLISH, result: 'deny', outcome: 'accepted' }])
})
