import type { Clock } from '../../src/clock.ts'

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

export interface TestClock extends Clock {
  /** Moves time forward, waking sleepers in the order of their times and letting what they woke run in between. */
  advance(ms: number): Promise<void>
  /** Sets the time of day forward or back, as an operator or a time server does; no time passes. */
  jump(ms: number): void
  /** How many sleeps are under way. */
  sleepers(): number
}

/** A clock that stands still until the test moves it. */
export function testClock(start = Date.parse('2026-01-01T00:00:00Z')): TestClock {
  let timeOfDay = start
  let passed = 0
  let sleepers: Sleeper[] = []

  return {
    now: () => timeOfDay + passed,
    elapsed: () => passed,
    jump(ms) {
      timeOfDay += ms
    },
    sleep(ms, signal) {
      return new Promise<void>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const wake = () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        }
        const sleeper: Sleeper = { at: passed + ms, wake }
        const stop = () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          reject(signal?.reason)
        }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', stop, { once: true })
      })
    },
    async advance(ms) {
      const end = passed + ms
      for (;;) {
        await settle()
        const next = sleepers.filter((sleeper) => sleeper.at <= end).sort((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        sleepers = sleepers.filter((other) => other !== next)
        passed = next.at
        next.wake()
      }
      passed = end
      await settle()
    },
    sleepers: () => sleepers.length,
  }
}

/** Lets promise callbacks and a round of I/O run. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve))
}
