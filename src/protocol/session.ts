import * as z from 'zod/mini'
import { HermError } from '../errors.ts'
import { excerpt, oneLine, parseJson } from './json-text.ts'
import { decodeListBody } from './list-body.ts'

/** A session's state as the service tells it. `idle` is the one `status` seen; others pass through. */
export const sessionShape = z.looseObject({
  id: z.string(),
  agentId: z.nullish(z.string()),
  userId: z.nullish(z.string()),
  title: z.nullish(z.string()),
  status: z.nullish(z.string()),
  createdAt: z.nullish(z.string()),
})

export type Session = z.infer<typeof sessionShape>

export interface RawSession {
  readonly session: Session
  /** The service's own JSON text, on one line. */
  readonly raw: string
}

export interface SessionPage {
  readonly sessions: RawSession[]
  readonly nextCursor: string | undefined
}

/** Throws `failed` when the body is no session. */
export function decodeSession(body: string): RawSession {
  const parsed = sessionShape.safeParse(parseJson(body, 'the session'))
  if (parsed.success) return { session: parsed.data, raw: oneLine(body) }
  throw new HermError('failed', `the service's answer is no session: ${excerpt(body)}`, {
    hint: 'Check that the base URL is that of the Herm API.',
  })
}

export function decodeSessionPage(body: string): SessionPage {
  const { elements, nextCursor } = decodeListBody(body, 'the list of sessions')
  return { sessions: elements.map(decodeSession), nextCursor }
}
