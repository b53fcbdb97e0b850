import { expect, it, test } from 'vitest'
import { deliveryStage, errorOf, resultArgs, SESSION } from '../helpers/delivery-stage.ts'
import { json, status } from '../helpers/scripted-server.ts'
import { toolHome } from '../helpers/tool-home.ts'

test.each(['running', 'complete', 'fail'] as const)(
  '%s --if-exists fail ends with 3 for what is recorded',
  async (command) => {
    const stage = await deliveryStage()
    const once = resultArgs(command, 'the text', '--if-exists', 'fail')
    const first = await stage.run(once)
    expect(first.records()).toMatchObject([{ outcome: 'accepted' }])
    const [{ event_id, recorded_at } = {}] = first.records()

    const again = await stage.run(once)
    expect(again).toMatchObject({ code: 3, stdout: '' })
    expect(errorOf(again)).toMatchObject({ code: 'conflict', exit_code: 3 })
    expect(errorOf(again).message).toMatch(new RegExp(`already recorded for .* as ${event_id}, at ${recorded_at}$`))
    expect(stage.posts()).toBe(1)

    expect((await stage.run(resultArgs(command, 'the text', '--if-exists', 'ok'))).records()).toMatchObject([
      { outcome: 'already_recorded', event_id, recorded_at },
    ])
  },
)

it('counts what another machine recorded', async () => {
  const stage = await deliveryStage()
  await stage.run(resultArgs('complete', 'done'))
  const end = await stage.run(resultArgs('complete', 'done', '--if-exists', 'fail'), { env: toolHome().env })
  expect(end).toMatchObject({ code: 3, stdout: '' })
  expect(errorOf(end).message).toContain(` as ${stage.resultId()}, at `)
})

it('does not count what this run sent itself, and found only after it had stopped looking', async () => {
  const stage = await deliveryStage()
  await stage.kickOff()
  const before = stage.emulator.control.events(SESSION).map(({ envelope }) => envelope)
  let looks = 0
  stage.proxy.onPosts(stage.proxy.acceptedThen(status(502)))
  stage.proxy.onGets(({ url }) => {
    const isLook = stage.posts() > 0 && !url.includes('/stream')
    return isLook && looks++ === 0 ? json({ data: before }) : undefined
  })
  const end = await stage.run(resultArgs('complete', 'done', '--settle', '0s', '--if-exists', 'fail'))
  expect(end.records()).toMatchObject([{ outcome: 'accepted', event_id: stage.resultId() }])
  expect(end.stderr).toContain('it was not accepted; sending it again')
  expect([end.code, stage.posts()]).toEqual([0, 1])
})

it('takes ok and fail', async () => {
  const end = await toolHome().run(resultArgs('complete', 'done', '--if-exists', 'perhaps'))
  expect(end.code).toBe(2)
  expect(errorOf(end).hint).toBe('Choose from ok, fail.')
})
