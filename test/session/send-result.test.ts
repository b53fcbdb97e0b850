import { describe, expect, test } from 'vitest'
import { CALL, message, result, SESSION } from '../helpers/delivery-stage.ts'
import {
  type Behaviour,
  cutAfterReading,
  cutBeforeReading,
  html,
  json,
  neverAnswers,
  redirect,
  status,
  text,
  truncated,
} from '../helpers/scripted-server.ts'
import { deliveryBench, isHistory, refused, SETTLE_MS } from './delivery-bench.ts'

describe('a final that was accepted, though the answer does not say so,', () => {
  test.each<[string, Behaviour]>([
    ['cut', cutAfterReading],
    ['none at all', neverAnswers],
    ['a 500', status(500)],
    ['a 502 with a page', html('<h1>Bad gateway</h1>', { status: 502 })],
    ['a 503', status(503, { 'retry-after': '1' })],
    ['a 504', status(504)],
    ['a 202 that breaks off', truncated('{"events":[{"id"', { status: 202 })],
    ['a 202 that is no JSON', text('thank you', { status: 202 })],
    ['a 409 no_active_turn', refused('no_active_turn')],
  ])('is found in history and sent once: %s', async (_name, answer) => {
    const { deliver, proxy, posts, told, resultId, entry } = await deliveryBench()
    proxy.onPosts(proxy.acceptedThen(answer))
    const report = await deliver('completed', 'done')
    expect(report).toMatchObject({ outcome: 'accepted', eventId: resultId() })
    expect(told()).toEqual(['completed done'])
    expect(posts()).toBe(1)
    const known = await entry()
    expect(known).toMatchObject({ final: { eventId: resultId(), recordedAt: report.recordedAt, source: 'history' } })
    expect(known?.intent).toBeUndefined()
  })

  test.each<[string, (answer: string) => Behaviour]>([
    ['{events}', (answer) => text(answer, { status: 202 })],
    ['{data}', (answer) => json({ data: JSON.parse(answer).events }, { status: 202 })],
    ['a bare array', (answer) => json(JSON.parse(answer).events, { status: 202 })],
    ['a bare envelope', (answer) => json(JSON.parse(answer).events[0], { status: 202 })],
    ['nothing', () => status(202)],
    ['an object without events', () => json({ ok: true }, { status: 202 })],
    ['a 200', (answer) => text(answer, { status: 200 })],
  ])('has its event id, whatever the 202 holds: %s', async (_name, answer) => {
    const { complete, proxy, posts, resultId, entry } = await deliveryBench()
    proxy.onPosts(proxy.acceptedThen(answer))
    const report = await complete()
    expect(report).toMatchObject({ outcome: 'accepted', eventId: resultId() })
    const known = await entry()
    expect(known?.final).toMatchObject({ eventId: resultId(), recordedAt: report.recordedAt, source: 'accepted' })
    expect(posts()).toBe(1)
  })

  test('is accepted all the same when its id cannot be found out', async () => {
    const { complete, proxy, entry } = await deliveryBench()
    proxy.onPosts(
      proxy.acceptedThen(() => {
        proxy.onGets((request) => (isHistory(request) ? status(503) : undefined))
        return status(202)
      }),
    )
    expect(await complete()).toMatchObject({ outcome: 'accepted', eventId: undefined })
    expect((await entry())?.final?.source).toBe('accepted')
  })

  test('is waited for when history lists it late', async () => {
    const { complete, proxy, posts, told, history, clock } = await deliveryBench()
    const before = history()
    proxy.onPosts(
      proxy.acceptedThen(() => {
        const listedAt = clock.now() + SETTLE_MS - 2_000
        proxy.onGets((request) => (isHistory(request) && clock.now() < listedAt ? json({ data: before }) : undefined))
        return cutAfterReading
      }),
    )
    expect(await complete()).toMatchObject({ outcome: 'accepted' })
    expect(told()).toEqual(['completed done'])
    expect(posts()).toBe(1)
  })

  test('is waited for through the whole window, also when the time of day jumps', async () => {
    const { complete, proxy, posts, told, history, clock } = await deliveryBench()
    const before = history()
    proxy.onPosts(
      proxy.acceptedThen(() => {
        const listedAt = clock.elapsed() + SETTLE_MS - 2_000
        proxy.onGets((request) => {
          clock.jump(60 * 60_000)
          return isHistory(request) && clock.elapsed() < listedAt ? json({ data: before }) : undefined
        })
        return cutAfterReading
      }),
    )
    expect(await complete()).toMatchObject({ outcome: 'accepted' })
    expect(told()).toEqual(['completed done'])
    expect(posts()).toBe(1)
  })

  test('is waited for when it lands after its connection was cut', async () => {
    const { complete, proxy, posts, told, clock } = await deliveryBench()
    proxy.onPosts({
      readsBody: true,
      async run(exchange) {
        await cutAfterReading.run(exchange)
        await clock.sleep(SETTLE_MS / 2)
        await proxy.acceptedThen(cutAfterReading).run(exchange)
      },
    })
    expect(await complete()).toMatchObject({ outcome: 'accepted' })
    expect(told()).toEqual(['completed done'])
    expect(posts()).toBe(1)
  })
})

test('a final that was accepted, and cannot be written down as such, is accepted with a warning; the next run finds it', async () => {
  const { complete, proxy, notes, entry, resultId, fillDisk } = await deliveryBench()
  proxy.onPosts(
    proxy.acceptedThen((answer) => {
      fillDisk()
      return text(answer, { status: 202 })
    }),
  )
  expect(await complete()).toMatchObject({ outcome: 'accepted', eventId: resultId() })
  expect(notes).toContainEqual({ kind: 'warning', message: expect.stringContaining('no space left') })
  expect((await entry())?.intent).toBeDefined()
})

test('a final whose answer was lost, and that is found and cannot be written down, is accepted with a warning, too', async () => {
  const { complete, proxy, notes, entry, resultId, fillDisk } = await deliveryBench()
  proxy.onPosts(
    proxy.acceptedThen(() => {
      fillDisk()
      return cutAfterReading
    }),
  )
  expect(await complete()).toMatchObject({ outcome: 'accepted', eventId: resultId() })
  expect(notes).toContainEqual({ kind: 'warning', message: expect.stringContaining('no space left') })
  expect((await entry())?.intent).toBeDefined()
})

test('where the intent cannot be written, nothing is sent', async () => {
  const { complete, failure, posts, entry, fillDisk } = await deliveryBench()
  fillDisk()
  expect(await failure(complete())).toBe('failed')
  expect(posts()).toBe(0)
  expect(await entry()).toBeUndefined()
})

test('what a journal knows of another base URL does not count', async () => {
  const { complete, deliver, posts, told } = await deliveryBench()
  await complete()
  const elsewhere = { baseUrl: 'http://127.0.0.1:1', sessionId: SESSION, toolUseId: CALL }
  // The same service by another name: its history has the final, and the journal of the first name is not asked.
  expect(await deliver('completed', 'done', { key: elsewhere })).toMatchObject({ outcome: 'already_recorded' })
  expect(posts()).toBe(1)
  expect(told()).toEqual(['completed done'])
})

describe('a final that was not accepted, though the answer does not say so,', () => {
  test.each<[string, Behaviour]>([
    ['cut before it was read', cutBeforeReading],
    ['cut after it was read', cutAfterReading],
    ['a 503', status(503)],
  ])('is looked for through the whole window, and then sent again: %s', async (_name, answer) => {
    const { complete, proxy, posts, told, timed, notes } = await deliveryBench()
    proxy.onPosts(answer)
    expect(await timed(complete)).toBeGreaterThanOrEqual(SETTLE_MS)
    expect(told()).toEqual(['completed done'])
    expect(posts()).toBe(2)
    expect(notes.filter(({ kind }) => kind === 'sending')).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
  })

  test('is not sent again with --no-resend; the next run looks, and sends it', async () => {
    const { complete, failure, proxy, posts, told } = await deliveryBench()
    proxy.onPosts(cutAfterReading)
    expect(await failure(complete({ resend: false }))).toBe('unknown')
    expect(posts()).toBe(1)
    expect(await complete()).toMatchObject({ outcome: 'accepted' })
    expect(told()).toEqual(['completed done'])
  })

  test('is sent again three times, and no more', async () => {
    const { complete, failure, proxy, posts, told } = await deliveryBench()
    proxy.onPosts(...Array(10).fill(cutAfterReading))
    expect(await failure(complete({ settleMs: 1_000 }))).toBe('unknown')
    expect(posts()).toBe(4)
    expect(told()).toEqual([])
  })
})

describe('an outcome that cannot be settled', () => {
  test('is unknown; the intent stays, and the next run finds out before it sends', async () => {
    const { complete, failure, proxy, posts, told, entry, resultId } = await deliveryBench()
    proxy.onPosts(
      proxy.acceptedThen(() => {
        proxy.onGets((request) => (isHistory(request) ? status(503) : undefined))
        return cutAfterReading
      }),
    )
    expect(await failure(complete())).toBe('unknown')
    expect((await entry())?.intent).toMatchObject({ status: 'completed', attempt: 1 })
    expect(await failure(complete())).toBe('unknown')

    proxy.onGets(() => undefined)
    expect(await complete()).toMatchObject({ outcome: 'already_recorded', eventId: resultId() })
    expect(told()).toEqual(['completed done'])
    expect(posts()).toBe(1)
  })

  test('is unknown at once when history is refused for good', async () => {
    const { complete, failure, proxy, timed } = await deliveryBench()
    proxy.onPosts(
      proxy.acceptedThen(() => {
        proxy.onGets(() => refused('unauthorized', 401))
        return cutAfterReading
      }),
    )
    expect(await timed(async () => expect(await failure(complete())).toBe('unknown'))).toBeLessThan(SETTLE_MS)
  })
})

describe('a final that the service puts off', () => {
  test.each<[string, (now: number) => Record<string, string>]>([
    ['seconds', () => ({ 'retry-after': '20' })],
    ['a date', (now) => ({ date: new Date(now).toUTCString(), 'retry-after': new Date(now + 21_000).toUTCString() })],
  ])('with 429 comes back when it was told to, in %s', async (_name, headers) => {
    const { complete, proxy, posts, told, timed, clock } = await deliveryBench()
    proxy.onPosts({ readsBody: true, run: (exchange) => status(429, headers(clock.now())).run(exchange) })
    expect(await timed(complete)).toBeGreaterThanOrEqual(20_000)
    expect(told()).toEqual(['completed done'])
    expect(posts()).toBe(2)
  })

  test('is sent once the service is back, after half a minute in which it did not answer', async () => {
    const { complete, proxy, told, clock } = await deliveryBench()
    proxy.onPosts({
      readsBody: true,
      run(exchange) {
        const backAt = clock.elapsed() + 30_000
        proxy.onGets(() => (clock.elapsed() < backAt ? status(503) : undefined))
        return status(429).run(exchange)
      },
    })
    expect(await complete()).toMatchObject({ outcome: 'accepted' })
    expect(told()).toEqual(['completed done'])
  })

  test('is not sent after another one that came from elsewhere while the service was away from here', async () => {
    const { complete, failure, proxy, finals, clock, send } = await deliveryBench()
    let isAnswered: Promise<void> | undefined
    proxy.onPosts({
      readsBody: true,
      run(exchange) {
        const backAt = clock.elapsed() + 10_500
        proxy.onGets(() => {
          if (clock.elapsed() >= backAt) return undefined
          isAnswered ??= send(result(CALL, 'completed', 'from elsewhere'))
          return status(503)
        })
        return status(429).run(exchange)
      },
    })
    expect(await failure(complete())).toBe('conflict')
    await isAnswered
    expect(finals()).toEqual(['completed from elsewhere'])
  })

  test('is sent again when the session is idle by its stream, though history lags behind that', async () => {
    const { complete, proxy, told, timed, history, send, clock } = await deliveryBench()
    await send(message('slow'))
    const atWork = history()
    proxy.onPosts({
      readsBody: true,
      run(exchange) {
        const listedAt = clock.elapsed() + 30_000
        proxy.onGets((request) =>
          isHistory(request) && clock.elapsed() < listedAt ? json({ data: atWork }) : undefined,
        )
        return status(429).run(exchange)
      },
    })
    expect(await timed(complete)).toBeLessThan(60_000)
    expect(told()).toEqual(['completed done'])
  })

  test('with 408 is sent again without a search for it', async () => {
    const { complete, proxy, posts, timed } = await deliveryBench()
    proxy.onPosts(status(408))
    expect(await timed(complete)).toBeLessThan(SETTLE_MS)
    expect(posts()).toBe(2)
  })

  test('with invalid_state is sent until it is accepted, with growing pauses', async () => {
    const { complete, proxy, posts, told, notes } = await deliveryBench()
    proxy.onPosts(...Array(5).fill(refused('invalid_state')))
    expect(await complete()).toMatchObject({ outcome: 'accepted' })
    expect(told()).toEqual(['completed done'])
    expect(posts()).toBe(6)
    expect(notes.flatMap((note) => (note.kind === 'put_off' ? note.pauseMs : []))).toEqual([250, 500, 1000, 2000, 4000])
  })

  test('with invalid_state because of a turn waits for that turn, and soon after has its turn', async () => {
    const { complete, proxy, told, notes, send } = await deliveryBench()
    const someoneElse: Behaviour = {
      readsBody: true,
      async run(exchange) {
        await send(message('slow'))
        await proxy.pass.run(exchange)
      },
    }
    proxy.onPosts(someoneElse, someoneElse, someoneElse)
    expect(await complete()).toMatchObject({ outcome: 'accepted', turnsWaited: 3 })
    expect(told()).toEqual(['completed done'])
    expect(notes.flatMap((note) => (note.kind === 'put_off' ? note.pauseMs : []))).toEqual([250, 250, 250])
  })

  test('again and again is not in time, and says what it was refused with', async () => {
    const { complete, proxy, told, entry } = await deliveryBench()
    proxy.onPosts(...Array(100).fill(refused('invalid_state')))
    await expect(complete({ timeoutMs: 10_000 })).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/^not done within 10 s: .*invalid_state/),
    })
    expect(told()).toEqual([])
    expect((await entry())?.intent).toBeUndefined()
  })
})

describe('a refusal for good', () => {
  test.each<[string, Behaviour, string]>([
    ['400', refused('invalid_request', 400), 'rejected'],
    ['401', refused('unauthorized', 401), 'auth'],
    ['403', refused('forbidden', 403), 'auth'],
    ['404', refused('not_found', 404), 'not_found'],
    ['409 of another kind', refused('conflict', 409), 'rejected'],
    ['413', status(413), 'rejected'],
    ['a redirect', redirect('https://example.com/'), 'rejected'],
  ])('ends at once and leaves nothing in doubt: %s', async (_name, answer, kind) => {
    const { complete, failure, proxy, posts, entry } = await deliveryBench()
    proxy.onPosts(answer)
    expect(await failure(complete())).toBe(kind)
    expect(posts()).toBe(1)
    expect((await entry())?.intent).toBeUndefined()
  })
})

test('the limit of the wait does not end a POST that is under way', async () => {
  const { complete, proxy, clock } = await deliveryBench()
  proxy.onPosts({
    readsBody: true,
    async run(exchange) {
      await clock.sleep(6_000)
      await proxy.pass.run(exchange)
    },
  })
  expect(await complete({ timeoutMs: 3_000 })).toMatchObject({ outcome: 'accepted' })
})

test('interrupted right before the first byte leaves, nothing is sent and nothing is in doubt', async () => {
  const { complete, onNote, interrupt, posts, entry } = await deliveryBench()
  onNote('sending', interrupt)
  await expect(complete()).rejects.toMatchObject({
    kind: 'interrupted',
    message: `interrupted: no completed result for ${CALL} was accepted from here`,
  })
  expect(posts()).toBe(0)
  expect((await entry())?.intent).toBeUndefined()
})

describe('an answer that comes as the session stops waiting', () => {
  test('and was stored is accepted, with a warning', async () => {
    const { deliver, proxy, posts, notes, resultId } = await deliveryBench({ kickoff: false })
    proxy.onPosts(proxy.acceptedThen(refused('no_active_turn')))
    expect(await deliver('running', 'started')).toMatchObject({ outcome: 'accepted', eventId: resultId() })
    expect(notes.filter(({ kind }) => kind === 'warning')).toHaveLength(1)
    expect(posts()).toBe(1)
  })

  test('and was not stored: a kickoff is refused, when history has been searched', async () => {
    const { deliver, failure, proxy, posts, timed, entry } = await deliveryBench({ kickoff: false })
    proxy.onPosts(...Array(5).fill(refused('no_active_turn')))
    const passed = await timed(async () => expect(await failure(deliver('running', 'started'))).toBe('rejected'))
    expect(passed).toBeGreaterThanOrEqual(SETTLE_MS)
    expect(posts()).toBe(1)
    expect((await entry())?.intent).toBeUndefined()
  })

  test('and was not stored: what was to be an immediate answer becomes a final', async () => {
    const { complete, proxy, posts, told, clock, notes } = await deliveryBench({ kickoff: false, answerLimitMs: 3_000 })
    proxy.onPosts({
      readsBody: true,
      async run(exchange) {
        await clock.sleep(4_000)
        await refused('no_active_turn').run(exchange)
      },
    })
    expect(await complete()).toMatchObject({ outcome: 'accepted' })
    expect(notes.flatMap((note) => (note.kind === 'sending' ? note.as : []))).toEqual(['immediate', 'final'])
    expect(told()).toEqual(['completed done'])
    expect(posts()).toBe(2)
  })
})

describe('a second final that was forced, and whose answer was lost,', () => {
  test.each<[string, boolean, number]>([
    ['was accepted: the equal one before it is not taken for it', true, 1],
    ['was not accepted: it is sent again', false, 2],
  ])('%s', async (_name, isAccepted, expectedPosts) => {
    const { complete, proxy, told, posts, resultId } = await deliveryBench()
    await complete()
    const before = posts()
    proxy.onPosts(isAccepted ? proxy.acceptedThen(cutAfterReading) : cutAfterReading)
    const report = await complete({ force: true })
    expect(report.outcome).toBe('accepted')
    expect(report.eventId).not.toBe(resultId())
    expect(posts() - before).toBe(expectedPosts)
    expect(told()).toEqual(['completed done', 'completed done'])
  })
})
