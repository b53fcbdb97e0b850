import { setTimeout as sleep } from 'node:timers/promises'
import type { TestClock } from './test-clock.ts'

/** Moves the clock, as fast as real requests allow, until the work is over; gives its outcome. */
export async function whileTimePasses<T>(clock: TestClock, work: Promise<T>): Promise<T> {
  let isOver = false
  const outcome = work.finally(() => {
    isOver = true
  })
  outcome.catch(() => undefined)
  while (!isOver) {
    await clock.advance(STEP_MS)
    await sleep(1)
  }
  return outcome
}

/** A request takes some steps, so that waits of seconds stay longer than requests. */
const STEP_MS = 50
