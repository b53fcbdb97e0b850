import * as z from 'zod/mini'
import { parseDuration } from '../duration.ts'
import { MAX_BLOCK_CHARS } from '../protocol/text-blocks.ts'
import { faultShape, seedShape } from './fault-shape.ts'

const duration = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const ms = parseDuration(text)
    if (ms !== undefined) return ms
    context.issues.push({ code: 'custom', message: 'must be a duration such as 250ms, 2s or 1m', input: text })
    return z.NEVER
  }),
)

/** A regular expression that a text must match somewhere, in capitals or not. */
const pattern = z.pipe(
  z.string(),
  z.transform((source, context) => {
    try {
      return new RegExp(source, 'i')
    } catch (error) {
      context.issues.push({ code: 'custom', message: (error as Error).message, input: source })
      return z.NEVER
    }
  }),
)

const call = z.strictObject({
  tool: z.string().check(z.minLength(1)),
  input: z._default(z.record(z.string(), z.unknown()), {}),
  policy: z._default(z.enum(['always_allow', 'always_ask', 'always_deny']), 'always_allow'),
})

const actions = ['say', 'call', 'calls', 'wait', 'error', 'end'] as const

const step = z.pipe(
  z.transform((value) => (value === 'end' ? { end: true } : value)),
  z
    .strictObject({
      if: z.optional(z.enum(['running', 'completed', 'failed', 'denied', 'expired'])),
      say: z.optional(z.string()),
      deltas: z.optional(z.boolean()),
      call: z.optional(call),
      calls: z.optional(z.array(call).check(z.minLength(1))),
      wait: z.optional(duration),
      error: z.optional(z.string()),
      end: z.optional(z.literal(true)),
    })
    .check(
      z.refine((fields) => actions.filter((action) => fields[action] !== undefined).length === 1, {
        error: `a step does exactly one of ${actions.join(', ')}`,
      }),
      z.refine((fields) => fields.deltas === undefined || fields.say !== undefined, {
        path: ['deltas'],
        error: 'belongs to say',
      }),
    ),
)

const rule = z
  .strictObject({
    when: z.enum(['message', 'result']),
    matches: z.optional(pattern),
    tool: z.optional(z.string()),
    status: z.optional(z.enum(['completed', 'failed'])),
    do: z.array(step),
  })
  .check(
    z.refine((fields) => fields.when === 'result' || (fields.tool === undefined && fields.status === undefined), {
      path: ['when'],
      error: 'tool and status belong to when: result',
    }),
  )

const session = z.strictObject({
  id: z.optional(z.string().check(z.regex(/^[\w-]+$/))),
  agent: z.string(),
  user: z.optional(z.string()),
  title: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  /** A message that is sent to it at the start. */
  message: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_BLOCK_CHARS))),
})

/** What agents do, the sessions that exist at the start, and what goes wrong. docs/emulator.md describes it for its writers. */
export const scenarioShape = z
  .strictObject({
    agents: z.record(z.string(), z.array(rule)),
    sessions: z._default(z.array(session), []),
    faults: z._default(z.array(faultShape), []),
    seed: z.optional(seedShape),
  })
  .check(({ value, issues }) => {
    for (const [index, { agent, id }] of value.sessions.entries()) {
      const report = (key: string, message: string) =>
        issues.push({ code: 'custom', message, input: value, path: ['sessions', index, key] })
      if (!Object.hasOwn(value.agents, agent)) report('agent', `there is no agent ${agent}`)
      const isTaken = value.sessions.slice(0, index).some((other) => other.id === id)
      if (id !== undefined && isTaken) report('id', `${id} is the id of an earlier session`)
    }
  })

export type Scenario = z.output<typeof scenarioShape>
export type Rule = z.output<typeof rule>
export type Step = z.output<typeof step>
