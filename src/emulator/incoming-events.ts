import * as z from 'zod/mini'
import { isObject } from '../protocol/json-text.ts'
import { MAX_BLOCK_CHARS, MAX_BLOCKS } from '../protocol/text-blocks.ts'
import { firstIssue, inWords } from './first-issue.ts'
import { refusal } from './refusal.ts'

/** protocol: 1–100 blocks of text, each at most 20,000 characters. Assumed: an empty text is refused. */
const content = z
  .array(
    z.looseObject({ type: z.literal('text'), text: z.string().check(z.minLength(1), z.maxLength(MAX_BLOCK_CHARS)) }),
  )
  .check(z.minLength(1), z.maxLength(MAX_BLOCKS))

const toolUseId = z.string().check(z.minLength(1))

const result = z
  .looseObject({
    type: z.literal('user.custom_tool_result'),
    tool_use_id: toolUseId,
    content,
    status: z.enum(['running', 'completed', 'failed']),
    is_error: z.boolean(),
  })
  .check(
    z.refine((event) => event.is_error === (event.status === 'failed'), {
      path: ['is_error'],
      error: 'must be true exactly when status is failed',
    }),
    z.refine((event) => event.status === 'running' || event.delivery === undefined, {
      path: ['delivery'],
      error: 'is not allowed on a final result',
    }),
  )

const confirmation = z.looseObject({
  type: z.literal('user.tool_confirmation'),
  tool_use_id: toolUseId,
  result: z.enum(['allow', 'deny']),
  deny_message: z.optional(z.string()),
})

const shapes = {
  'user.message': z.looseObject({ type: z.literal('user.message'), content }),
  'user.custom_tool_result': result,
  'user.tool_confirmation': confirmation,
  'user.steer': z.looseObject({ type: z.literal('user.steer'), message: z.string().check(z.minLength(1)) }),
  'user.interrupt': z.looseObject({ type: z.literal('user.interrupt'), message: z.optional(z.string()) }),
}

export type IncomingResult = z.infer<typeof result>
export type IncomingConfirmation = z.infer<typeof confirmation>
export type IncomingEvent = z.infer<(typeof shapes)[keyof typeof shapes]>

/** The events of a request's body, every one of them checked. Throws the refusal `invalid_request`, naming the field. */
export function parseIncomingEvents(body: unknown): IncomingEvent[] {
  const list = isObject(body) ? body.events : undefined
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_EVENTS) {
    throw refusal('invalid_request', `events: must be a list of 1 to ${MAX_EVENTS} events`)
  }
  const events = list.map(parseIncomingEvent)
  if (events.filter(({ type }) => type === 'user.message').length > 1) {
    throw refusal('invalid_request', 'events: only one user.message is allowed in a request')
  }
  return events
}

function parseIncomingEvent(event: unknown, index: number): IncomingEvent {
  const type = isObject(event) ? event.type : undefined
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) {
    throw refusal('invalid_request', `events[${index}].type: must be one of ${Object.keys(shapes).join(', ')}`)
  }
  const parsed = shapes[type as keyof typeof shapes].safeParse(event, inWords)
  if (parsed.success) return parsed.data
  const { place, message } = firstIssue(parsed.error, ['events', index])
  throw refusal('invalid_request', `${place}: ${message}`)
}

/** Assumed: far more than a client has reason to send at once. */
const MAX_EVENTS = 100
