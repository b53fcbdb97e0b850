import { type Envelope, isSettled } from './envelope.ts'
import { isObject } from './json-text.ts'
import { joinedText } from './text-blocks.ts'

export interface AgentMessage {
  readonly text: string
  /** The whole message is still to come. */
  readonly isPart: boolean
}

/**
 * Reads an `agent.message`; undefined for every other event. Assumed: one with a `delta` is a part of a message that comes
 * as a whole later, and its text is in `content`. Tolerated: the text in `delta` itself, as a string or as `{text}`.
 */
export function agentMessage(envelope: Envelope): AgentMessage | undefined {
  if (envelope.type !== 'agent.message') return undefined
  const { content, delta } = envelope.payload
  return { text: joinedText(content) || deltaText(delta), isPart: isDelta(envelope) || !isSettled(envelope) }
}

/** A part of a message, which follows as a whole in an event of its own. */
export function isDelta({ type, payload }: Envelope): boolean {
  return type === 'agent.message' && Boolean(payload.delta)
}

/** The text that stands in a `delta` itself; empty for none. */
export function deltaText(delta: unknown): string {
  const text = isObject(delta) ? delta.text : delta
  return typeof text === 'string' ? text : ''
}
