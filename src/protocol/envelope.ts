import type * as z from 'zod/mini'
import type { envelopeShape } from './envelope-shape.ts'
import { isObject, oneLine, parseNested } from './json-text.ts'

export type Envelope = z.infer<typeof envelopeShape>

/** An envelope and the service's own JSON text of it, on one line: `--json` prints the text, so no value is rewritten. */
export interface RawEvent {
  readonly envelope: Envelope
  readonly raw: string
}

/** Reads the JSON text of one envelope; undefined when it is not an object with a string `type` and a `payload` object. */
export function decodeEvent(text: string): RawEvent | undefined {
  const envelope = parseEnvelope(text)
  return envelope === undefined ? undefined : { envelope, raw: oneLine(text) }
}

/** Makes an event of an envelope that has no text of its own, such as the patch that a `session.tool_updated` carries. */
export function eventOf(envelope: Envelope): RawEvent {
  return { envelope, raw: JSON.stringify(envelope) }
}

/** Whether the envelope is whole: one with another status than `complete` will be listed again, with more in it. */
export function isSettled({ status }: Envelope): boolean {
  return status === undefined || status === 'complete'
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    return asEnvelope(parseNested(text))
  } catch {
    return undefined
  }
}

/**
 * Does by hand what envelopeShape says, a null field made undefined in the value itself: nothing is done to as many events,
 * and a general parser takes ten times as long.
 */
function asEnvelope(value: unknown): Envelope | undefined {
  if (!isObject(value) || typeof value.type !== 'string' || !isObject(value.payload)) return undefined
  for (const name of TEXT_FIELDS) if (!isMissable(value, name, 'string')) return undefined
  if (!isMissable(value, 'sequence', 'number')) return undefined
  if (!Number.isSafeInteger(value.sequence)) value.sequence = undefined
  const { processedAt } = value
  const isEnvelope = processedAt === undefined || processedAt === null || typeof processedAt === 'string'
  return isEnvelope ? (value as Envelope) : undefined
}

function isMissable(fields: Record<string, unknown>, name: string, type: 'string' | 'number'): boolean {
  const value = fields[name]
  if (value === null) fields[name] = undefined
  return value === undefined || value === null || typeof value === type
}

const TEXT_FIELDS = ['id', 'sessionId', 'status', 'createdAt'] as const
