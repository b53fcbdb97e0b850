import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFaultBoard } from '../../src/emulator/fault-board.ts'
import { parseFault } from '../../src/emulator/fault-text.ts'
import { type ApiRequest, jsonReply } from '../../src/emulator/reply.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { testClock } from '../helpers/test-clock.ts'
import { message } from './api.ts'
import { seeSent } from './exchange.ts'

const PATH = '/v1/sessions/s/events'

function board(faults: readonly string[], seed?: number) {
  const created = createFaultBoard({
    answer: ({ method }) => jsonReply(method === 'POST' ? 202 : 200, {}),
    clock: testClock(),
    stopped: new AbortController().signal,
  })
  created.replace(
    faults.map((text) => parseFault(text)),
    seed,
  )
  const requested = (method: string): ApiRequest => ({
    method,
    path: PATH,
    query: new URLSearchParams(),
    headers: {},
    body: '',
    notes: [],
  })
  return {
    ...created,
    /** How the emulator answers `count` requests: `x` where a fault struck, `.` elsewhere. */
    async luck(count: number, method = 'POST') {
      let marks = ''
      for (let n = 0; n < count; n++) {
        const request = requested(method)
        await created.answer(request)
        marks += request.notes.length > 0 ? 'x' : '.'
      }
      return marks
    },
    request: requested,
  }
}

test.each([
  ['post-cut', 'xxxxxxxxxx'],
  ['post-cut,count=3', 'xxx.......'],
  ['post-cut,count=0', '..........'],
  ['post-cut,after=4', '....xxxxxx'],
  ['post-cut,after=4,count=1', '....x.....'],
  ['post-cut,p=0', '..........'],
])('%s strikes so: %s', async (fault, expected) => {
  expect(await board([fault]).luck(10)).toBe(expected)
})

test('the same seed brings the same luck, another seed another', async () => {
  const luck = (seed?: number) => board(['accepted-cut,p=0.5'], seed).luck(60)
  const first = await luck(7)
  expect(await luck(7)).toBe(first)
  expect(await luck(8)).not.toBe(first)
  expect(await luck()).toBe(await luck(1))
})

test('the luck of a fault does not depend on the chances of another', async () => {
  const faults = ['accepted-cut,p=0.5', 'history-cut,p=0.5']
  const alone = board(faults, 3)
  const [posts, lists] = [await alone.luck(40), await alone.luck(40, 'GET')]
  const mixed = board(faults, 3)
  let [mixedPosts, mixedLists] = ['', '']
  for (let n = 0; n < 40; n++) {
    mixedLists += await mixed.luck(1, 'GET')
    mixedPosts += await mixed.luck(1)
  }
  expect([mixedPosts, mixedLists]).toEqual([posts, lists])
  expect(posts).not.toBe(lists)
})

test('a fault strikes as often as its probability says, and never more often than its count', async () => {
  const anyFault = fc.record({ percent: fc.integer({ min: 0, max: 100 }), seed: fc.nat(), count: fc.nat(400) })
  await fc.assert(
    fc.asyncProperty(anyFault, async ({ percent, seed, count }) => {
      const { luck, report } = board([`post-cut,p=${(percent / 100).toFixed(2)}`], seed)
      const fired = [...(await luck(2_000))].filter((mark) => mark === 'x').length
      expect(Math.abs(fired / 2_000 - percent / 100)).toBeLessThan(0.06)
      expect(report().faults[0]).toMatchObject({ chances: 2_000, fired })
      const limited = board([`post-cut,count=${count},p=${(percent / 100).toFixed(2)}`], seed)
      await limited.luck(500)
      expect(limited.report().faults[0]?.fired).toBeLessThanOrEqual(count)
    }),
    { numRuns: 30 },
  )
})

test.each(['post', 'accepted'])(
  'of several faults at the point %s, the first in the list has its chance first',
  async (point) => {
    const faults =
      point === 'post' ? ['post-refused=503,count=1', 'post-cut'] : ['accepted-error=500,count=1', 'accepted-cut']
    const { answer, request, report } = board(faults)
    expect(await answer(request('POST'))).toMatchObject({ kind: 'body' })
    expect(report().faults.map(({ chances }) => chances)).toEqual([1, 0])
    expect(await answer(request('POST'))).toEqual({ kind: 'cut' })
  },
)

test('what acts on every answer acts on spoiled ones too, wherever it stands in the list', async () => {
  const { answer, request } = board(['clock-skew=1s', 'accepted-error=500'])
  expect(await answer(request('POST'))).toMatchObject({
    status: 500,
    headers: { date: 'Thu, 01 Jan 2026 00:00:01 GMT' },
  })
})

test('other faults take the place of those in force; totals go on', async () => {
  const { luck, replace, report, fired } = board(['post-cut,count=2'], 5)
  await luck(3)
  expect(report()).toEqual({ seed: 5, faults: [{ fault: 'post-cut,count=2', chances: 3, fired: 2 }] })
  expect(replace([parseFault('post-cut,after=1'), parseFault('history-cut')])).toEqual({
    seed: 5,
    faults: [
      { fault: 'post-cut,after=1', chances: 0, fired: 0 },
      { fault: 'history-cut', chances: 0, fired: 0 },
    ],
  })
  expect(await luck(3)).toBe('.xx')
  expect(fired()).toEqual({ 'post-cut': 4 })
  expect(replace([], 6)).toEqual({ seed: 6, faults: [] })
  expect(await luck(3)).toBe('...')
})

test('the log names the faults that struck', async () => {
  const lines: string[] = []
  const { url } = await startEmulator({ faults: ['accepted-cut', 'clock-skew=0s'], log: (line) => lines.push(line) })
  await seeSent(url, message('hello'))
  expect(lines).toEqual(['POST /v1/sessions/ses_demo/events cut 0ms user.message fault:accepted-cut fault:clock-skew'])
})
