import { setMaxListeners } from 'node:events'
import type { Clock } from '../clock.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import { ANSWER_LIMIT_MS } from '../protocol/tool-call.ts'
import { BUILT_IN_SCENARIO } from './built-in-scenario.ts'
import { CONTROL_PREFIX, createControlRoutes, type FaultControl } from './control-routes.ts'
import type { Payload } from './event-log.ts'
import { createEventStreams } from './event-streams.ts'
import { createFaultBoard } from './fault-board.ts'
import type { Fault } from './fault-text.ts'
import { countingIds, type NewId } from './ids.ts'
import type { Answer } from './reply.ts'
import { createRouter } from './router.ts'
import { createRoutes } from './routes.ts'
import { parseScenario } from './scenario.ts'
import type { Scenario } from './scenario-shape.ts'
import { createApiServer } from './server.ts'
import { createSessionStore, type NewSession, type SessionView } from './session-store.ts'
import { countFinals, createTally } from './tally.ts'

export interface EmulatorOptions {
  readonly clock: Clock
  /** The built-in one when left out: `video-agent`, and the session `ses_demo`. */
  readonly scenario?: Scenario | undefined
  /** Keys are checked only when there is one. */
  readonly apiKey?: string | undefined
  /** How long the answer to a call is waited for. */
  readonly answerLimitMs?: number | undefined
  /** The pause between two comment lines on a stream. */
  readonly heartbeatMs?: number | undefined
  readonly newId?: NewId | undefined
  /** In force from the start, after those of the scenario. */
  readonly faults?: readonly Fault[] | undefined
  /** In place of the scenario's; 1 when neither has one. */
  readonly seed?: number | undefined
  /** Takes one line for each request. */
  readonly log?: ((line: string) => void) | undefined
}

export interface Emulator {
  /** Port 0 takes a free one. `host` is 127.0.0.1 when left out. Rejects when the port cannot be had. */
  listen(address: { port: number; host?: string }): Promise<{ url: string }>
  /** Ends streams, turns and connections; resolves at once. */
  close(): Promise<void>
  readonly control: EmulatorControl
}

/** The emulator's inside, for a program that runs it in its own process. Unknown ids throw `rejected`. */
interface EmulatorControl extends FaultControl {
  createSession(session: NewSession): SessionView
  sessions(): SessionView[]
  /** The history, oldest first. */
  events(sessionId: string): readonly RawEvent[]
  /** Puts an event in the history and on the streams, whatever the turn is doing; it changes nothing else. */
  emit(sessionId: string, payload: Payload): RawEvent
  streamCount(): number
  /** Ends every open stream; clients may connect again. */
  dropStreams(): void
}

/** A local Herm: the session protocol over HTTP, with scripted agents and sessions in memory. */
export function createEmulator(options: EmulatorOptions): Emulator {
  const { clock, apiKey, log = () => {}, scenario = parseScenario(BUILT_IN_SCENARIO) } = options
  const stopped = new AbortController()
  // Every fault that waits listens, and many may wait at once.
  setMaxListeners(0, stopped.signal)
  const store = createSessionStore({
    clock,
    scenario,
    newId: options.newId ?? countingIds(),
    answerLimitMs: options.answerLimitMs ?? ANSWER_LIMIT_MS,
  })
  const streams = createEventStreams({ clock, heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS })
  const tally = createTally(createRouter({ routes: createRoutes({ store, streams }), apiKey }))
  const faults = createFaultBoard({ answer: tally.answer, clock, stopped: stopped.signal })
  faults.replace([...scenario.faults, ...(options.faults ?? [])], options.seed ?? scenario.seed)
  const faultControl: FaultControl = {
    faults: faults.report,
    setFaults: faults.replace,
    stats: () => ({
      accepted: tally.accepted(),
      refused: tally.refused(),
      finals: countFinals(store.all().map((session) => session.log)),
      streams: streams.count(),
      faults: faults.fired(),
    }),
  }
  const controlAnswer = createRouter({ routes: createControlRoutes(faultControl), apiKey })
  const answer: Answer = (request) =>
    request.path.startsWith(CONTROL_PREFIX) ? controlAnswer(request) : faults.answer(request)
  const server = createApiServer({ answer, clock, log })

  return {
    async listen({ port, host = '127.0.0.1' }) {
      const taken = await server.listen({ port, host })
      return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}` }
    },
    async close() {
      stopped.abort()
      for (const { turns } of store.all()) turns.stop()
      streams.endAll()
      await server.close()
    },
    control: {
      ...faultControl,
      createSession: (session) => store.create(session).view(),
      sessions: () => store.all().map((session) => session.view()),
      events: (sessionId) => store.get(sessionId).log.events(),
      emit: (sessionId, payload) => store.get(sessionId).log.append(payload),
      streamCount: streams.count,
      dropStreams: streams.endAll,
    },
  }
}

/** Assumed: the service sends a comment every 15 to 30 seconds. */
const HEARTBEAT_MS = 15_000
