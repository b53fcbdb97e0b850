import { describe, expect, test } from 'vitest'
import { CALL, callId, deliveryStage, message, result, resultArgs } from '../helpers/delivery-stage.ts'
import { held } from '../helpers/fault-proxy.ts'
import { toolHome } from '../helpers/tool-home.ts'

describe('the same final again', () => {
  test('is known from the journal, without network; another text is a conflict', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    const first = await stage.run(resultArgs('complete', 'done'))
    const requests = stage.proxy.requests.length

    const again = await stage.run(resultArgs('complete', 'done\r\n'))
    expect(again.code).toBe(0)
    expect(again.records()).toEqual([{ ...first.records()[0], outcome: 'already_recorded' }])
    const other = await stage.run(resultArgs('complete', 'done differently'))
    expect(other).toMatchObject({ code: 3, stdout: '' })
    expect((await stage.run(resultArgs('fail', 'done'))).code).toBe(3)
    expect(stage.proxy.requests).toHaveLength(requests)
    expect(stage.told()).toEqual(['completed done'])
  })

  test('is found in history by a machine with an empty journal, which remembers it', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    await stage.run(resultArgs('complete', 'done'))
    const { env } = toolHome()
    const adopted = await stage.run(resultArgs('complete', 'done'), { env })
    expect(adopted.records()).toMatchObject([{ outcome: 'already_recorded', event_id: stage.resultId() }])

    const requests = stage.proxy.requests.length
    const remembered = await stage.run(resultArgs('complete', 'done'), { env })
    expect(remembered.records()).toEqual(adopted.records())
    expect(stage.proxy.requests).toHaveLength(requests)
    expect(stage.posts()).toBe(1)
  })

  test('where another is found in history, is a conflict, which is remembered too', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    await stage.send(result(CALL, 'failed', 'no such film'))
    expect(await stage.run(resultArgs('complete', 'done'))).toMatchObject({ code: 3, stdout: '' })
    const requests = stage.proxy.requests.length
    expect(await stage.run(resultArgs('complete', 'done'))).toMatchObject({ code: 3, stdout: '' })
    expect((await stage.run(resultArgs('fail', 'no such film'))).records()).toMatchObject([
      { outcome: 'already_recorded', event_id: stage.resultId() },
    ])
    expect(stage.proxy.requests).toHaveLength(requests)
    expect(stage.posts()).toBe(0)
  })

  test('is sent by --force, as a final of its own', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    const first = await stage.run(resultArgs('complete', 'done'))
    const second = await stage.run(resultArgs('complete', 'done', '--force'))
    expect(second.records()).toMatchObject([{ outcome: 'accepted' }])
    expect(second.records()[0]?.event_id).not.toBe(first.records()[0]?.event_id)
    expect(stage.told()).toEqual(['completed done', 'completed done'])
  })

  test('sent by two processes at once is one final, and both end with 0', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    const ends = await Promise.all([1, 2].map(() => stage.run(resultArgs('complete', 'done'))))
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
    expect(ends.map((end) => end.records()[0]?.outcome).sort()).toEqual(['accepted', 'already_recorded'])
    expect(stage.told()).toEqual(['completed done'])
    expect(stage.posts()).toBe(1)
  })
})

test('an immediate answer by two processes at once is sent once', async () => {
  const stage = await deliveryStage()
  const post = held(stage.proxy.pass)
  stage.proxy.onPosts(post)
  const first = stage.start(resultArgs('complete', 'done'))
  await post.reached
  const second = stage.start(resultArgs('complete', 'done'))
  await second.says(new RegExp(`${CALL} is being answered by process ${first.child.pid}`), 'stderr')
  post.release()
  expect((await first.ended).records()).toMatchObject([{ outcome: 'accepted' }])
  expect((await second.ended).records()).toMatchObject([{ outcome: 'already_recorded' }])
  expect(stage.posts()).toBe(1)
})

test('a final that another call’s final came before waits for the turn which that one began', async () => {
  const stage = await deliveryStage()
  await stage.kickOff()
  await stage.send(message('go'))
  await stage.kickOff(callId(2))
  const post = held(stage.proxy.pass)
  stage.proxy.onPosts(post)
  const first = stage.start(resultArgs('complete', 'long'))
  await post.reached
  const second = stage.start([...resultArgs('complete', 'short'), '--tool-use-id', callId(2)])
  await second.says(new RegExp(`process ${first.child.pid} .* is sending a final to this session`), 'stderr')
  post.release()
  await second.says(/a turn is running; waiting for idle/, 'stderr')
  await first.ended
  expect(stage.posts()).toBe(1)
  await stage.emulator.clock.advance(1_000)
  expect((await second.ended).records()).toMatchObject([{ outcome: 'accepted', turns_waited: 1 }])
  expect(stage.told()).toEqual(['completed long', 'completed short'])
  expect(stage.posts()).toBe(2)
})

test('twenty finals of one session at once: each is sent once, and hardly one finds a turn running', async () => {
  const stage = await deliveryStage()
  await stage.kickOff()
  for (let call = 2; call <= 20; call++) {
    await stage.send(message('go'))
    await stage.kickOff(callId(call))
  }
  const ticking = setInterval(() => void stage.emulator.clock.advance(1_000), 25)
  const ends = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      stage.run([...resultArgs('complete', `long ${index + 1}`), '--tool-use-id', callId(index + 1)]),
    ),
  ).finally(() => clearInterval(ticking))
  expect(ends.map(({ code }) => code)).toEqual(Array(20).fill(0))
  expect(stage.told().sort()).toEqual(Array.from({ length: 20 }, (_, index) => `completed long ${index + 1}`).sort())
  const refused = stage.posts() - 20
  expect(refused).toBeLessThanOrEqual(5)
})
