import { expect, it, test } from 'vitest'
import { deliveryStage, errorOf, resultArgs } from '../helpers/delivery-stage.ts'
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

it('takes ok and fail', async () => {
  const end = await toolHome().run(resultArgs('complete', 'done', '--if-exists', 'perhaps'))
  expect(end.code).toBe(2)
  expect(errorOf(end).hint).toBe('Choose from ok, fail.')
})
