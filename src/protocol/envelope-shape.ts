import * as z from 'zod/mini'

/**
 * The envelope of every listed or streamed event. Unknown types, statuses and fields pass through untouched.
 * `id` and `sequence` may be missing, or null, on ephemeral frames (assumed of `session.tool_updated`).
 */
export const envelopeShape = z.looseObject({
  id: missable(z.string()),
  type: z.string(),
  sessionId: missable(z.string()),
  sequence: missable(z.number()),
  status: missable(z.string()),
  payload: z.record(z.string(), z.unknown()),
  processedAt: z.optional(z.nullable(z.string())),
  createdAt: missable(z.string()),
})

/** A field that is absent or null, which say the same. */
function missable<T extends z.ZodMiniType<string | number>>(shape: T) {
  return z.optional(
    z.pipe(
      z.nullish(shape),
      z.transform((value) => value ?? undefined),
    ),
  )
}
