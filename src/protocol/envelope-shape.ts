import * as z from 'zod/mini'

/**
 * The envelope of every listed or streamed event. Unknown types, statuses and fields pass through untouched.
 * `id` and `sequence` may be missing, or null, on ephemeral frames (assumed of `session.tool_updated`).
 */
export const envelopeShape = z.looseObject({
  id: missable(z.string()),
  type: z.string(),
  sessionId: missable(z.string()),
  /** What is no whole number has no place in the order, and is taken for none. */
  sequence: z.optional(
    z.pipe(
      z.nullish(z.number()),
      z.transform((value) => (Number.isSafeInteger(value) ? (value as number) : undefined)),
    ),
  ),
  status: missable(z.string()),
  payload: z.record(z.string(), z.unknown()),
  processedAt: z.optional(z.nullable(z.string())),
  createdAt: missable(z.string()),
})

/** A field that is absent or null, which say the same. */
function missable<T extends z.ZodMiniType<string>>(shape: T) {
  return z.optional(
    z.pipe(
      z.nullish(shape),
      z.transform((value) => value ?? undefined),
    ),
  )
}
