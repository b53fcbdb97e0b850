import { describe, expect, test } from 'vitest'
import { resultDigest } from '../../src/protocol/result-digest.ts'
import type { Intent } from '../../src/store/journal.ts'
import { CALL, message, result } from '../helpers/delivery-stage.ts'
import { type Behaviour, json, status } from '../helpers/scripted-server.ts'
import { deliveryBench, isHistory, refused, SETTLE_MS } from './delivery-bench.ts'

describe('while it waits', () => {
  test.each<[string, Behaviour, string]>([
    ['the key is revoked', refused('unauthorized', 401), 'auth'],
    ['the session goes away', refused('not_found', 404), 'not_found'],
  ])('%s: it ends, and nothing was sent', async (_name, answer, kind) => {
    const { complete, failure, proxy, posts, send, emulator } = await deliveryBench()
    await send(message('go'))
    const end = failure(complete())
    await until(() => emulator.control.streamCount() === 1)
    proxy.onGets(() => answer)
    emulator.control.dropStreams()
    expect(await end).toBe(kind)
    expect(posts()).toBe(0)
  })

  test('the stream goes away and comes back: it is sent once idle', async () => {
    const { complete, proxy, told, send, emulator } = await deliveryBench()
    await send(message('slow'))
    const end = complete()
    await until(() => emulator.control.streamCount() === 1)
    let refusals = 2
    proxy.onGets(() => (refusals-- > 0 ? status(503) : undefined))
    emulator.control.dropStreams()
    expect(await end).toMatchObject({ outcome: 'accepted', turnsWaited: 1 })
    expect(told()).toEqual(['completed done'])
  })
})

describe('an intent that a killed run left', () => {
  const intent = (text: string): Intent => ({
    status: 'completed',
    digest: resultDigest('completed', text),
    attempt: 1,
    writtenAt: '2026-01-01T00:00:00.000Z',
    forced: false,
    token: 'token',
    knownResultEventIds: [],
  })

  test('and whose result is in history is adopted: the same is done, another is a conflict', async () => {
    const { deliver, failure, remember, posts, send, resultId, entry } = await deliveryBench()
    await send(result(CALL, 'completed', 'done'))
    await remember({ intent: intent('done') })
    expect(await failure(deliver('completed', 'something else'))).toBe('conflict')
    expect(await entry()).toMatchObject({ final: { eventId: resultId(), source: 'history' } })

    await remember({ intent: intent('done') })
    const report = await deliver('completed', 'done')
    expect(report).toMatchObject({ outcome: 'already_recorded', eventId: resultId() })
    expect((await entry())?.final?.recordedAt).toBe(report.recordedAt)
    expect(posts()).toBe(0)
  })

  test('and whose result is in history counts, also when history lists it no more', async () => {
    const { deliver, failure, remember, posts, send, proxy, history } = await deliveryBench()
    const before = history()
    await send(result(CALL, 'completed', 'done'))
    await remember({ intent: intent('done') })
    let readings = 0
    proxy.onGets((request) => (isHistory(request) && readings++ > 0 ? json({ data: before }) : undefined))
    expect(await failure(deliver('completed', 'something else'))).toBe('conflict')
    expect(posts()).toBe(0)
  })

  test('and whose result is not there is forgotten after the window, and another may be sent', async () => {
    const { deliver, remember, posts, told, timed, entry } = await deliveryBench()
    await remember({ intent: intent('done') })
    expect(await timed(() => deliver('failed', 'out of disk'))).toBeGreaterThanOrEqual(SETTLE_MS)
    expect(told()).toEqual(['failed out of disk'])
    expect(posts()).toBe(1)
    expect((await entry())?.final?.status).toBe('failed')
  })
})

describe('a final that the journal learns of while another is waiting', () => {
  test.each([
    ['the same', 'done', 'already_recorded'],
    ['another one', 'not so', 'conflict'],
  ])('is not followed by a second one, though history does not list it: %s', async (_name, other, expected) => {
    const { complete, send, remember, posts, onNote } = await deliveryBench()
    await send(message('slow'))
    const final = {
      status: 'completed',
      digest: resultDigest('completed', other),
      recordedAt: '2026-01-01T00:00:00.000Z',
      source: 'history',
    } as const
    onNote('waiting', () => remember({ final }))
    const end = complete().then(
      ({ outcome }) => outcome,
      ({ kind }) => kind,
    )
    expect(await end).toBe(expected)
    expect(posts()).toBe(0)
  })
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}
