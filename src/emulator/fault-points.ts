import type { Clock } from '../clock.ts'
import type { Answer, ApiRequest, Reply } from './reply.ts'

/** What a fault is given to act upon. */
export interface Exchange {
  readonly request: ApiRequest
  /** At a point after the exchange, the reply that there is; at one before it, the way on, to be gone once at most. */
  readonly next: Answer
  readonly clock: Clock
  /** Aborts when the emulator closes. */
  readonly stopped: AbortSignal
}

/** What a fault does. */
export type Act = (exchange: Exchange) => Reply | Promise<Reply>

/** A fault's chance: it acts, or the reply of `next` stays as it is. */
export type Chance = (request: ApiRequest, next: Answer) => Reply | Promise<Reply>

/** Where faults act, from the emulator outwards. `around` gives a fault its chance in the exchanges that are of the point. */
export const faultPoints = {
  /** An event was accepted; the reply can still be spoiled. */
  accepted: after((reply) => reply.kind === 'body' && reply.status === 202),
  /** A stream is about to be opened. */
  stream: after((reply) => reply.kind === 'stream'),
  /** A page of a history is asked for. */
  history: before(({ method, path }) => method === 'GET' && EVENTS_PATH.test(path)),
  /** Events are sent, and none was looked at yet. */
  post: before(({ method, path }) => method === 'POST' && EVENTS_PATH.test(path)),
  /** Anything at all is asked for. */
  request: before(() => true),
  /** Anything at all is answered. */
  answer: after(() => true),
} as const satisfies Record<string, Point>

export type PointName = keyof typeof faultPoints

interface Point {
  around(next: Answer, chance: Chance): Answer
  /** Whether the chance comes before the exchange, and the outermost of several is the first. */
  readonly outermostFirst: boolean
}

function before(isHere: (request: ApiRequest) => boolean): Point {
  return {
    around: (next, chance) => (request) => (isHere(request) ? chance(request, next) : next(request)),
    outermostFirst: true,
  }
}

function after(isHere: (reply: Reply) => boolean): Point {
  return {
    around: (next, chance) => async (request) => {
      const reply = await next(request)
      return isHere(reply) ? chance(request, () => reply) : reply
    },
    outermostFirst: false,
  }
}

const EVENTS_PATH = /^\/v1\/sessions\/[^/]+\/events$/
