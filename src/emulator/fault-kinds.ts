import { STATUS_CODES } from 'node:http'
import type { Act, Exchange, PointName } from './fault-points.ts'
import { closed, drowned, littered, muted, reset, split, trickled } from './fault-streams.ts'
import { duration, type FaultValue, failureStatus, noValue, offset, refusalStatus } from './fault-values.ts'
import type { HistoryView } from './history-view.ts'
import { refusal } from './refusal.ts'
import { errorReply, jsonReply, type Reply } from './reply.ts'

export interface FaultKind {
  readonly at: PointName
  readonly form: string | undefined
  readonly example: string | undefined
  /** Undefined for a value that is not of the form. */
  withValue(text: string | undefined): Act | undefined
}

const CUT: Reply = { kind: 'cut' }

/** Every fault by its name: where it acts, and how. docs/emulator.md describes them for their users. */
export const faultKinds: Readonly<Record<string, FaultKind>> = {
  'post-cut': kind('post', noValue, () => CUT),
  'post-refused': kind('post', refusalStatus, (_, status) => failure(status)),
  'post-limited': kind('post', duration, (_, ms) => failure(429, { 'retry-after': Math.ceil(ms / 1_000) })),
  'post-limited-until': kind('post', duration, ({ clock }, ms) => {
    // A date has no parts of a second: the next whole one is not too soon.
    const until = Math.ceil((clock.now() + ms) / 1_000) * 1_000
    return failure(429, { 'retry-after': new Date(until).toUTCString() })
  }),
  'post-late': kind('post', duration, ({ request, next, clock, stopped }, ms) => {
    // Nobody hears what comes of it.
    const landing = async () => {
      await clock.sleep(ms, stopped)
      await next(request)
    }
    landing().catch(() => {})
    return CUT
  }),

  'accepted-cut': kind('accepted', noValue, () => CUT),
  'accepted-error': kind('accepted', failureStatus, (_, status) => failure(status)),
  'accepted-unanswered': kind('accepted', noValue, () => ({ kind: 'silence' })),
  'accepted-empty': kind('accepted', noValue, () => ({ kind: 'body', status: 202, body: '' })),
  'accepted-truncated': kind('accepted', noValue, async ({ request, next }) => {
    const reply = await next(request)
    return reply.kind === 'body' ? { ...reply, kind: 'truncated' } : reply
  }),
  'accepted-garbled': kind('accepted', noValue, async ({ request, next }) => {
    const reply = await next(request)
    return reply.kind === 'body' ? { ...reply, body: reply.body.slice(0, reply.body.length / 2) } : reply
  }),

  'history-cut': kind('history', noValue, () => CUT),
  'history-error': kind('history', refusalStatus, (_, status) => failure(status)),
  'history-lag': kind('history', duration, (exchange, ms) => viewed(exchange, { asOf: exchange.clock.now() - ms })),
  'history-newest-first': kind('history', noValue, (exchange) => viewed(exchange, { newestFirst: true })),
  'history-loop': kind('history', noValue, (exchange) => viewed(exchange, { loops: true })),

  'stream-refused': kind('stream', refusalStatus, (_, status) => failure(status)),
  'stream-html': kind('stream', noValue, () => ({
    kind: 'body',
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<!doctype html><title>Sign in</title><p>This network needs a sign-in.</p>',
  })),
  'stream-no-content': kind('stream', noValue, () => ({ kind: 'body', status: 204, body: '' })),
  'stream-closed': kind('stream', duration, closed),
  'stream-reset': kind('stream', duration, reset),
  'stream-muted': kind('stream', duration, muted),
  'stream-split': kind('stream', noValue, split),
  'stream-trickle': kind('stream', duration, trickled),
  'stream-junk': kind('stream', noValue, littered),
  'stream-endless-line': kind('stream', noValue, drowned),

  'key-revoked': kind('request', noValue, () => errorReply(refusal('unauthorized', 'the API key was revoked'))),
  'slow-request': kind('request', duration, async ({ request, next, clock, stopped }, ms) => {
    await clock.sleep(ms, stopped)
    return next(request)
  }),
  'slow-answer': kind('answer', duration, async ({ request, next, clock, stopped }, ms) => {
    await clock.sleep(ms, stopped)
    return next(request)
  }),
  'clock-skew': kind('answer', offset, async ({ request, next, clock }, ms) => {
    const reply = await next(request)
    if (reply.kind === 'cut' || reply.kind === 'silence') return reply
    return { ...reply, headers: { ...reply.headers, date: new Date(clock.now() + ms).toUTCString() } }
  }),
}

function kind<V>(
  at: PointName,
  value: FaultValue<V>,
  act: (exchange: Exchange, value: V) => Reply | Promise<Reply>,
): FaultKind {
  return {
    at,
    form: value.form,
    example: value.example,
    withValue(text) {
      const parsed = value.parse(text)
      return parsed === undefined ? undefined : (exchange) => act(exchange, parsed)
    },
  }
}

/** A failure of the service in words of its own, such as `service_unavailable`. */
function failure(status: number, headers = {}): Reply {
  const words = STATUS_CODES[status] ?? 'Failure'
  const error = { code: words.toLowerCase().replaceAll(/\W+/g, '_'), message: words }
  return jsonReply(status, { error }, headers)
}

function viewed({ request, next }: Exchange, view: HistoryView): Reply | Promise<Reply> {
  return next({ ...request, view: { ...request.view, ...view } })
}
