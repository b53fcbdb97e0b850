import { createParser } from 'eventsource-parser'
import { onTestFinished } from 'vitest'
import type { Envelope } from '../../src/protocol/envelope.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly body: any
}

export async function request(url: string, init: RequestInit = {}): Promise<Answered> {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answered> {
  return request(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
}

/** What a test does with one session. */
export function sessionApi(baseUrl: string, sessionId = 'ses_demo') {
  const url = `${baseUrl}/v1/sessions/${sessionId}`
  return {
    url,
    send: (...events: unknown[]) => post(`${url}/events`, { events }),
    async history(): Promise<Envelope[]> {
      return (await request(`${url}/events?limit=100`)).body.data
    },
    /** The history as one word for each event: the type, and what tells it from its like. */
    async story(): Promise<string[]> {
      return (await this.history()).map(inWords)
    },
    async status(): Promise<string> {
      return (await request(url)).body.status
    },
    stream: (headers: Record<string, string> = {}) => openStream(`${url}/events/stream`, headers),
  }
}

export function message(text: string) {
  return { type: 'user.message', content: [{ type: 'text', text }] }
}

export function result(toolUseId: string, status: 'running' | 'completed' | 'failed', text = 'a result') {
  return {
    type: 'user.custom_tool_result',
    tool_use_id: toolUseId,
    content: [{ type: 'text', text }],
    status,
    is_error: status === 'failed',
  }
}

export function confirmation(toolUseId: string, answer: 'allow' | 'deny', denyMessage?: string) {
  return { type: 'user.tool_confirmation', tool_use_id: toolUseId, result: answer, deny_message: denyMessage }
}

interface Frame {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: Envelope
}

/** Follows a stream; it is cut when the test is finished. */
export async function openStream(url: string, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await fetch(url, { headers, signal: abort.signal })
  const frames: Frame[] = []
  const comments: string[] = []
  const parser = createParser({
    onEvent: ({ event, id, data }) => frames.push({ event, id, data: JSON.parse(data) }),
    onComment: (comment) => comments.push(comment.trim()),
  })
  const ended = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
  })()
  ended.catch(() => {})
  return { response, frames, comments, ended, cut: () => abort.abort() }
}

function inWords({ type, payload }: Envelope): string {
  const stopReason = payload.stop_reason as { type: string; event_ids?: string[] } | undefined
  const content = payload.content as { text: string }[] | undefined
  const details = [
    payload.tool_use_id,
    payload.status,
    payload.result,
    stopReason?.type,
    stopReason?.event_ids?.join('+'),
    payload.delta === true ? 'delta' : undefined,
    content === undefined ? undefined : `"${content.map(({ text }) => text).join('')}"`,
  ]
  return [type, ...details.filter((detail) => detail !== undefined)].join(' ')
}
