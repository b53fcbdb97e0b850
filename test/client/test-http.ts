import { onTestFinished } from 'vitest'
import { createHermClient, type HermClient } from '../../src/client/herm-client.ts'
import { createHttp, type Http, type HttpOptions } from '../../src/client/http.ts'
import type { Clock } from '../../src/clock.ts'

export const KEY = 'prism_sk_0123456789abcdef+/='

/** A clock on which pauses pass at once and are written down. Waits of an hour or more never end: they are limits. */
export interface InstantClock extends Clock {
  readonly pauses: number[]
}

export function instantClock(): InstantClock {
  const pauses: number[] = []
  let now = Date.parse('2026-01-01T00:00:00Z')
  return {
    pauses,
    now: () => now,
    elapsed: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
        if (signal?.aborted) return reject(signal.reason)
        if (ms >= NEVER_MS) return
        pauses.push(ms)
        now += ms
        setImmediate(resolve)
      }),
  }
}

/** Limits that a test does not wait for. */
const NEVER_MS = 3_600_000

export function httpOptions(baseUrl: string, overrides: Partial<HttpOptions> = {}): HttpOptions {
  const { limits, ...rest } = overrides
  return {
    baseUrl,
    apiKey: KEY,
    env: {},
    clock: instantClock(),
    random: () => 1,
    version: '0.0.0',
    limits: { attemptMs: NEVER_MS, errorBodyMs: NEVER_MS, ...limits },
    ...rest,
  }
}

export function testHttp(baseUrl: string, overrides: Partial<HttpOptions> = {}): Http {
  const http = createHttp(httpOptions(baseUrl, overrides))
  onTestFinished(http.close)
  return http
}

export function testClient(baseUrl: string, overrides: Partial<HttpOptions> = {}): HermClient {
  const client = createHermClient(httpOptions(baseUrl, overrides))
  onTestFinished(client.close)
  return client
}

/** Everything that printing an error could show. */
export function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const fields = Object.entries(error).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [error.message, error.stack, ...fields, error.cause === undefined ? '' : everythingIn(error.cause)].join('\n')
}

export async function caught(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('it was to fail, and did not')
    },
    (error: unknown) => error,
  )
}
