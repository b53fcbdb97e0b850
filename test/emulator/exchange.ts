import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export interface Seen {
  readonly status: number
  readonly headers: Headers
  /** As far as it came. */
  readonly text: string
  /** Whether all of the body came. */
  readonly isWhole: boolean
}

/** What a client sees of an exchange that may go wrong: `cut` when the connection ends before the head of an answer. */
export async function see(url: string, init: RequestInit = {}): Promise<Seen | 'cut'> {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await fetch(url, { ...init, signal: abort.signal }).catch(() => undefined)
  if (response === undefined) return 'cut'
  const { status, headers } = response
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
    return { status, headers, text, isWhole: true }
  } catch {
    return { status, headers, text, isWhole: false }
  }
}

/** Sends one event. */
export function seeSent(baseUrl: string, event: unknown, sessionId = 'ses_demo'): Promise<Seen | 'cut'> {
  return see(`${baseUrl}/v1/sessions/${sessionId}/events`, {
    method: 'POST',
    body: JSON.stringify({ events: [event] }),
  })
}

/** Whether the exchange is still without an answer after a moment that is long for a loopback. */
export async function isUnanswered(seen: Promise<unknown>): Promise<boolean> {
  return Promise.race([seen.then(() => false), setTimeout(100, true)])
}
