import { expect, onTestFinished, test } from 'vitest'
import { createHermClient } from '../../src/client/herm-client.ts'
import { reconcile, type Verdict } from '../../src/session/reconcile.ts'
import type { Intent } from '../../src/store/journal.ts'
import { CALL, deliveryStage, result, SESSION } from '../helpers/delivery-stage.ts'
import { realClock } from '../helpers/real-clock.ts'

test('what a delivery has begun since the journal was listed is left alone', async () => {
  const stage = await deliveryStage()
  await stage.kickOff()
  await stage.send(result(CALL, 'completed', 'done'))
  const { journal } = stage.home
  const client = createHermClient({
    baseUrl: stage.proxy.url,
    env: {},
    clock: realClock,
    random: Math.random,
    version: 'test',
  })
  onTestFinished(() => client.close())
  const key = { baseUrl: stage.proxy.url, sessionId: SESSION, toolUseId: CALL }
  const listed = await journal.update(key, () => ({}))
  const intent: Intent = {
    status: 'completed',
    digest: 'of another text',
    attempt: 1,
    writtenAt: listed.updatedAt,
    forced: true,
    token: 'token',
    knownResultEventIds: [],
  }
  await journal.update(key, () => ({ intent }))

  const verdicts: Verdict['verdict'][] = []
  const context = { client, journal, clock: realClock, random: Math.random, notify: () => {} }
  const { signal } = new AbortController()
  for await (const { verdict } of reconcile({ ...context, signal }, [listed], { settleMs: 0 })) verdicts.push(verdict)
  expect(verdicts).toEqual(['recorded'])
  expect(await journal.read(key)).toMatchObject({ intent })
})
