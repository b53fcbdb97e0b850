import type { Clock } from '../clock.ts'
import { scriptFor } from './agent-script.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import type { NewId } from './ids.ts'
import { type Page, type PageQuery, pageOf } from './paging.ts'
import { refusal } from './refusal.ts'
import type { Scenario } from './scenario-shape.ts'
import { createSessionTurns, type SessionStatus, type SessionTurns } from './session-turns.ts'

export interface NewSession {
  readonly agentId: string
  readonly id?: string | undefined
  readonly userId?: string | undefined
  readonly title?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** A session as `GET /v1/sessions/{id}` shows it. Assumed: `running` and `requires_action` beside `idle`. */
export interface SessionView {
  readonly id: string
  readonly agentId: string
  readonly agentVersion: number
  readonly userId: string | null
  readonly title: string | null
  readonly status: SessionStatus
  readonly createdAt: string
  readonly metadata: Readonly<Record<string, unknown>>
}

interface EmulatedSession {
  readonly log: EventLog
  readonly turns: SessionTurns
  view(): SessionView
}

export interface SessionStore {
  /** Throws the refusal `not_found` for an agent that the scenario does not have. */
  create(session: NewSession): EmulatedSession
  /** Throws the refusal `not_found`. */
  get(sessionId: string): EmulatedSession
  /** In the order of their creation. */
  list(query: PageQuery, keep?: (session: SessionView) => boolean): Page<SessionView>
  all(): readonly EmulatedSession[]
}

export interface SessionStoreOptions {
  readonly scenario: Scenario
  readonly clock: Clock
  readonly newId: NewId
  readonly answerLimitMs: number
}

/** Sessions in memory, those of the scenario first. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { scenario, clock, newId, answerLimitMs } = options
  const byId = new Map<string, EmulatedSession>()
  const sessions: EmulatedSession[] = []

  for (const { agent, user, message, ...session } of scenario.sessions) {
    const { turns } = create({ ...session, agentId: agent, userId: user })
    if (message !== undefined) turns.accept({ type: 'user.message', content: [{ type: 'text', text: message }] })
  }

  return {
    create,
    get(sessionId) {
      const session = byId.get(sessionId)
      if (session === undefined) throw refusal('not_found', `there is no session ${sessionId}`)
      return session
    },
    list(query, keep = () => true) {
      const { items, nextCursor } = pageOf(sessions, query, (session) => keep(session.view()))
      return { items: items.map((session) => session.view()), nextCursor }
    },
    all: () => sessions,
  }

  function create({ agentId, id = unusedId(), userId, title, metadata }: NewSession): EmulatedSession {
    const rules = Object.hasOwn(scenario.agents, agentId) ? scenario.agents[agentId] : undefined
    if (rules === undefined) throw refusal('not_found', `there is no agent ${agentId}`)
    const log = createEventLog({ sessionId: id, clock, newId })
    const turns = createSessionTurns({
      log,
      clock,
      newId,
      answerLimitMs,
      scriptFor: (trigger) => scriptFor(rules, trigger),
    })
    const fixed = {
      id,
      agentId,
      agentVersion: 1,
      userId: userId ?? null,
      title: title ?? null,
      createdAt: new Date(clock.now()).toISOString(),
      metadata: metadata ?? {},
    }
    const session = { log, turns, view: () => ({ ...fixed, status: turns.status() }) }
    byId.set(id, session)
    sessions.push(session)
    return session
  }

  /** A scenario may have named a session as the counter would. */
  function unusedId(): string {
    let id = newId('ses')
    while (byId.has(id)) id = newId('ses')
    return id
  }
}
