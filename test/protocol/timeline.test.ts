import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventOf } from '../../src/protocol/envelope.ts'
import { createTimeline, type Timeline, type TimelineUpdate } from '../../src/protocol/timeline.ts'
import { event, historyAt, patchOf, result, rewritten, type Step, sessionLogs } from './session-log.ts'

const note = (sequence: number) => event(sequence, 'agent.message', { content: [] })
const kickoff = (sequence: number) => event(sequence, 'user.custom_tool_result', result('a', 'running', 'started'))
const final = (sequence: number) => event(sequence, 'user.custom_tool_result', result('a', 'completed', 'done'))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => note(from + index))

describe('order', () => {
  it('holds live events back until history fills the hole before them', () => {
    const timeline = createTimeline()
    timeline.add([note(5), note(6)], 'live')
    expect(told(timeline)).toEqual([])
    expect(timeline.hasHole()).toBe(true)
    timeline.add(range(1, 3), 'history')
    expect(told(timeline)).toEqual([1, 2, 3])
    expect(timeline.hasHole()).toBe(true)
    timeline.add(range(1, 6), 'history')
    expect(told(timeline)).toEqual([4, 5, 6])
    expect(timeline.hasHole()).toBe(false)
  })

  it('tells the first events of a new session without waiting for a history', () => {
    const timeline = createTimeline()
    timeline.add([note(1), note(2)], 'live')
    expect(told(timeline)).toEqual([1, 2])
    timeline.add([], 'history')
    timeline.add(range(1, 3), 'history')
    expect(told(timeline)).toEqual([3])
  })

  it('begins where history begins, whatever the first number is', () => {
    const timeline = createTimeline()
    timeline.add([], 'history')
    timeline.add(range(40, 42).reverse(), 'history')
    expect(told(timeline)).toEqual([40, 41, 42])
  })

  it('tells each event once when the stream goes further back than the history that was read', () => {
    const timeline = createTimeline()
    timeline.add([note(3)], 'live')
    timeline.add(range(5, 6), 'history')
    timeline.add(range(1, 6), 'live')
    expect(told(timeline).toSorted()).toEqual([1, 2, 3, 4, 5, 6])
    timeline.add(range(1, 6), 'live')
    expect(told(timeline)).toEqual([])
  })

  it('passes over accepted holes, and still tells what turns up in them', () => {
    const timeline = createTimeline()
    timeline.add(range(1, 2), 'history')
    timeline.add([note(9), note(5)], 'live')
    expect(told(timeline)).toEqual([1, 2])
    timeline.acceptHoles()
    expect(told(timeline)).toEqual([5, 9])
    timeline.add([note(7), note(3), note(7), note(5)], 'live')
    expect(told(timeline)).toEqual([7, 3])
    timeline.add([...range(1, 9)], 'history')
    expect(told(timeline)).toEqual([4, 6, 8])
  })

  it('waits for no hole in a session whose history shows that numbers have holes', () => {
    const timeline = createTimeline()
    timeline.add([note(10), note(14)], 'history')
    timeline.add([note(20)], 'live')
    expect(told(timeline)).toEqual([10, 14, 20])
    expect(timeline.hasHole()).toBe(false)
    timeline.add([note(4), note(17)], 'live')
    expect(told(timeline)).toEqual([4, 17])
  })

  it('holds nothing back for a reader that wants no order', () => {
    const timeline = createTimeline({ ordered: false })
    timeline.add([note(5)], 'live')
    expect(told(timeline)).toEqual([5])
    timeline.add(range(1, 5), 'history')
    expect(told(timeline)).toEqual([1, 2, 3, 4])
  })
})

describe('versions', () => {
  it('tells once of a result that was replaced unseen', () => {
    const timeline = createTimeline()
    timeline.add([kickoff(1), note(2)], 'history')
    for (const _told of timeline.take());
    timeline.add([final(1), note(2)], 'history')
    expect([...timeline.take()]).toEqual([{ kind: 'result_updated', event: final(1), previousStatus: 'running' }])
    timeline.add([final(1), note(2)], 'history')
    expect([...timeline.take()]).toEqual([])
  })

  it.each<[string, (timeline: Timeline) => void]>([
    ['after its event', (timeline) => timeline.add([kickoff(1), patchOf(final(1))], 'live')],
    ['before its event was released', (timeline) => timeline.add([patchOf(final(1)), kickoff(1)], 'live')],
  ])('tells no more of it when a frame told already, %s', (_what, deliver) => {
    const timeline = createTimeline()
    deliver(timeline)
    expect([...timeline.take()]).toHaveLength(2)
    timeline.add([final(1), note(2)], 'history')
    expect(told(timeline)).toEqual([2])
  })

  it('never goes back from a final to its running version', () => {
    const timeline = createTimeline()
    timeline.add([kickoff(1)], 'history')
    timeline.add([final(1)], 'history')
    expect([...timeline.take()]).toEqual([{ kind: 'event', event: final(1) }])
    timeline.add([kickoff(1)], 'history')
    timeline.add([kickoff(1), note(2)], 'live')
    expect(told(timeline)).toEqual([2])
  })

  it('keeps the final that is held back when a stale running version follows', () => {
    const timeline = createTimeline()
    timeline.add([final(2), kickoff(2)], 'live')
    timeline.add([note(1), kickoff(2)], 'history')
    expect([...timeline.take()].map(({ event }) => event)).toEqual([note(1), final(2)])
  })

  it('does not go back to a part of a message that is whole', () => {
    const part = (text: string, status: string) => event(1, 'agent.message', { text }, { status })
    const timeline = createTimeline()
    const parts = [part('a', 'pending'), part('ab', 'pending'), part('abc', 'complete'), part('ab', 'pending')]
    for (const grown of parts) {
      timeline.add([grown], 'live')
      timeline.add([grown], 'live')
    }
    expect([...timeline.take()].map(({ event }) => event.envelope.payload.text)).toEqual(['abc'])
    timeline.add(parts, 'live')
    expect([...timeline.take()]).toEqual([])
  })

  it('tells of each part of the message that is still growing', () => {
    const part = (text: string, status: string) => event(1, 'agent.message', { text }, { status })
    const timeline = createTimeline()
    const texts = [part('a', 'pending'), part('ab', 'pending'), part('abc', 'complete')].flatMap((grown) => {
      timeline.add([grown, grown], 'live')
      return [...timeline.take()].map(({ event }) => event.envelope.payload.text)
    })
    expect(texts).toEqual(['a', 'ab', 'abc'])
  })

  it('takes another spelling of the same event for the same event', () => {
    const timeline = createTimeline()
    timeline.add([note(1)], 'live')
    expect(told(timeline)).toEqual([1])
    timeline.add([rewritten(note(1))], 'history')
    expect(told(timeline)).toEqual([])
  })
})

describe('frames without a place in the order', () => {
  const ping = eventOf({ type: 'session.ping', payload: { n: 1 } })

  it('are passed on at once, and once', () => {
    const timeline = createTimeline()
    timeline.add([note(7), ping, ping], 'live')
    expect([...timeline.take()]).toEqual([{ kind: 'event', event: ping }])
  })

  it('do not move the place, even where they have a number', () => {
    const timeline = createTimeline()
    timeline.add([note(1)], 'history')
    timeline.add([eventOf({ ...patchOf(final(1)).envelope, sequence: 9 })], 'live')
    expect([...timeline.take()]).toHaveLength(2)
    expect(timeline.place()).toEqual({ sequence: 1, runningResults: [] })
  })
})

describe('a place', () => {
  it('is nowhere before anything was told', () => {
    expect(createTimeline().place()).toBeUndefined()
  })

  it('holds what resuming needs: nothing is told twice, nothing is lost, replaced results are noticed', () => {
    const timeline = createTimeline()
    timeline.add([note(1), kickoff(2), note(3)], 'history')
    for (const _told of timeline.take());
    const place = JSON.parse(JSON.stringify(timeline.place()))
    expect(place).toEqual({ sequence: 3, runningResults: ['evt_2'] })

    const unchanged = createTimeline({ after: place })
    unchanged.add([note(1), kickoff(2), note(3)], 'history')
    expect([...unchanged.take()]).toEqual([])
    expect(unchanged.place()).toEqual(place)

    const resumed = createTimeline({ after: place })
    resumed.add([note(1), final(2), note(3), note(4)], 'history')
    expect([...resumed.take()]).toEqual([
      { kind: 'result_updated', event: final(2), previousStatus: 'running' },
      { kind: 'event', event: note(4) },
    ])
    expect(resumed.place()).toEqual({ sequence: 4, runningResults: [] })
  })
})

describe('any session, delivered in any way', () => {
  it.each([
    ['dense', { gaps: false }],
    ['sparse', { gaps: true }],
  ])('is told whole, each event once (%s numbers)', (_what, options) => {
    fc.assert(
      fc.property(sessionLogs(options), deliveries, (steps, actions) => {
        const { updates, timeline } = deliver({ steps, actions, timeline: createTimeline() })
        timeline.add(historyAt(steps), 'history')
        updates.push(...timeline.take())
        if (options.gaps && timeline.hasHole()) {
          timeline.acceptHoles()
          updates.push(...timeline.take())
        }
        expect(timeline.hasHole()).toBe(false)

        const firsts = [...new Set(numbers(updates))]
        const all = historyAt(steps).map(({ envelope }) => envelope.sequence)
        expect(options.gaps ? firsts.toSorted((a, b) => a - b) : firsts).toEqual(all)
        expectEachVersionOnce(updates)
        expectFinalsTold(updates, steps)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is told whole to a reader that stops and resumes', () => {
    fc.assert(
      fc.property(sessionLogs(), deliveries, fc.nat(), (steps, actions, cut) => {
        const seen = historyAt(steps, cut % (steps.length + 1))
        const first = createTimeline()
        first.add(seen, 'history')
        const before = [...first.take()]
        const { updates, timeline } = deliver({
          steps,
          actions,
          timeline: createTimeline({ after: first.place() }),
          from: cut % (steps.length + 1),
        })
        timeline.add(historyAt(steps), 'history')
        const whole = [...before, ...updates, ...timeline.take()]
        expect([...new Set(numbers(whole))]).toEqual(historyAt(steps).map(({ envelope }) => envelope.sequence))
        expectEachVersionOnce(whole)
        expectFinalsTold(whole, steps)
      }),
      { numRuns: 500 },
    )
  })
})

type Action =
  | { kind: 'happen'; steps: number }
  | { kind: 'disconnect' }
  | { kind: 'connect'; replay: 'nothing' | 'all' | 'from'; from: number }
  | { kind: 'read'; lag: number; order: 'ascending' | 'descending' }
  | { kind: 'take' }

const deliveries: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('happen' as const), steps: fc.integer({ min: 1, max: 12 }) }),
    fc.constant({ kind: 'disconnect' as const }),
    fc.record({
      kind: fc.constant('connect' as const),
      replay: fc.constantFrom('nothing' as const, 'all' as const, 'from' as const),
      from: fc.nat(60),
    }),
    fc.record({
      kind: fc.constant('read' as const),
      lag: fc.oneof(fc.constant(0), fc.nat(10)),
      order: fc.constantFrom('ascending' as const, 'descending' as const),
    }),
    fc.constant({ kind: 'take' as const }),
  ),
  { maxLength: 30 },
)

/** Plays a session against a timeline: what happens reaches it while it is connected, or by what it reads. */
function deliver(options: { steps: readonly Step[]; actions: readonly Action[]; timeline: Timeline; from?: number }) {
  const { steps, timeline } = options
  const updates: TimelineUpdate[] = []
  let happened = options.from ?? 0
  let connected = false
  for (const action of options.actions) {
    switch (action.kind) {
      case 'happen':
        for (const step of steps.slice(happened, happened + action.steps)) {
          if (connected) timeline.add([step.kind === 'append' ? step.event : step.patch], 'live')
        }
        happened = Math.min(steps.length, happened + action.steps)
        break
      case 'disconnect':
        connected = false
        break
      case 'connect':
        connected = true
        if (action.replay !== 'nothing') {
          const from = action.replay === 'all' ? 0 : action.from
          const replayed = historyAt(steps, happened).filter(({ envelope }) => (envelope.sequence ?? 0) > from)
          timeline.add(replayed, 'live')
        }
        break
      case 'read': {
        const listed = historyAt(steps, Math.max(0, happened - action.lag)).map(rewritten)
        timeline.add(action.order === 'ascending' ? listed : listed.reverse(), 'history')
        break
      }
      case 'take':
        updates.push(...timeline.take())
    }
  }
  return { updates, timeline }
}

/** An event is told again only when it is a result that was replaced since. */
function expectEachVersionOnce(updates: readonly TimelineUpdate[]): void {
  const versions = updates.map(({ event: { envelope } }) =>
    envelope.sequence === undefined ? undefined : `${envelope.id} ${envelope.payload.status}`,
  )
  const seen = versions.filter((version) => version !== undefined)
  expect(seen).toEqual([...new Set(seen)])
}

/** Of a replaced result the final is told: by its event alone, or after the running one by exactly one more word. */
function expectFinalsTold(updates: readonly TimelineUpdate[], steps: readonly Step[]): void {
  for (const replacement of steps.filter(({ kind }) => kind === 'replace')) {
    const id = replacement.event.envelope.id
    const words = updates.flatMap(({ kind, event: { envelope } }) => {
      if (envelope.type === 'session.tool_updated') return envelope.payload.event_id === id ? ['frame'] : []
      if (envelope.id !== id) return []
      return envelope.payload.status === 'running' ? ['running'] : [kind]
    })
    expect([
      ['event'],
      ['running', 'event'],
      ['running', 'frame'],
      ['running', 'result_updated'],
      ['frame', 'event'],
      ['frame', 'running'],
    ]).toContainEqual(words)
  }
}

function numbers(updates: readonly TimelineUpdate[]): number[] {
  return updates.flatMap(({ event: { envelope } }) => envelope.sequence ?? [])
}

function told(timeline: Timeline): number[] {
  return numbers([...timeline.take()])
}
