import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { deadline } from '../src/clock.ts'
import { testClock } from './helpers/test-clock.ts'

describe('a deadline', () => {
  function setup() {
    const clock = testClock()
    const parent = new AbortController()
    const late = new Error('late')
    const limit = deadline({ clock, ms: 1000, reason: () => late, parent: parent.signal })
    const leftBehind = () => [getEventListeners(parent.signal, 'abort').length, clock.sleepers()]
    return { clock, parent, late, limit, leftBehind }
  }

  it('aborts when the time is over, and not before', async () => {
    const { clock, late, limit, leftBehind } = setup()
    await clock.advance(999)
    expect(limit.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(limit.signal.reason).toBe(late)
    expect(leftBehind()).toEqual([0, 0])
  })

  it('aborts when its parent does', () => {
    const { parent, limit, leftBehind } = setup()
    const reason = new Error('stopped')
    parent.abort(reason)
    expect(limit.signal.reason).toBe(reason)
    expect(leftBehind()).toEqual([0, 0])
  })

  it('is aborted from the beginning when its parent is', () => {
    const clock = testClock()
    const reason = new Error('stopped')
    const limit = deadline({ clock, ms: 1000, reason: () => new Error('late'), parent: AbortSignal.abort(reason) })
    expect(limit.signal.reason).toBe(reason)
    expect(clock.sleepers()).toBe(0)
  })

  it('that is lifted still hears its parent', async () => {
    const { clock, parent, limit } = setup()
    limit.lift()
    await clock.advance(5000)
    expect(limit.signal.aborted).toBe(false)
    parent.abort(new Error('stopped'))
    expect(limit.signal.aborted).toBe(true)
  })

  it('that is disposed of never aborts, and leaves nothing behind', async () => {
    const { clock, parent, limit, leftBehind } = setup()
    limit.dispose()
    expect(leftBehind()).toEqual([0, 0])
    await clock.advance(5000)
    parent.abort(new Error('stopped'))
    expect(limit.signal.aborted).toBe(false)
  })
})
