import * as z from 'zod/mini'
import { oneLine, parseNested } from './json-text.ts'

/**
 * The envelope of every listed or streamed event. Unknown types, statuses and fields pass through untouched.
 * `id` and `sequence` may be missing, or null, on ephemeral frames (assumed of `session.tool_updated`).
 */
const envelopeShape = z.looseObject({
  id: missable(z.string()),
  type: z.string(),
  sessionId: missable(z.string()),
  sequence: missable(z.number()),
  status: missable(z.string()),
  payload: z.record(z.string(), z.unknown()),
  processedAt: z.optional(z.nullable(z.string())),
  createdAt: missable(z.string()),
})

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
    const parsed = envelopeShape.safeParse(parseNested(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** A field that is absent or null, which say the same. */
function missable<T extends z.ZodMiniType<string | number>>(shape: T) {
  return z.optional(
    z.pipe(
      z.nullish(shape),
      z.transform((value) => value ?? undefined),
    ),
  )
}
