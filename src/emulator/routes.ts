import * as z from 'zod/mini'
import { excerpt } from '../protocol/json-text.ts'
import type { EventStreams } from './event-streams.ts'
import { firstIssue, inWords } from './first-issue.ts'
import { eventsIn } from './history-view.ts'
import { type IncomingEvent, parseIncomingEvents } from './incoming-events.ts'
import { FIRST_CURSOR, pageOf, pageQuery } from './paging.ts'
import { refusal } from './refusal.ts'
import { type ApiRequest, jsonReply, type Reply } from './reply.ts'
import { jsonBody } from './request-body.ts'
import type { Route } from './router.ts'
import type { SessionStore } from './session-store.ts'

/** The endpoints. */
export function createRoutes(options: { store: SessionStore; streams: EventStreams }): Route[] {
  const { store, streams } = options
  return [
    { method: 'POST', path: '/v1/sessions/:id/events', answer: postEvents },
    { method: 'GET', path: '/v1/sessions/:id/events', answer: listEvents },
    { method: 'GET', path: '/v1/sessions/:id/events/stream', answer: streamEvents },
    { method: 'GET', path: '/v1/sessions', answer: listSessions },
    { method: 'GET', path: '/v1/sessions/:id', answer: getSession },
    { method: 'POST', path: '/v1/agents/:id/sessions', answer: createSession },
  ]

  /**
   * All events are validated before the first is stored; then they are taken in order. One that the session's state does not
   * allow ends the request there: those before it stay.
   */
  function postEvents(request: ApiRequest, sessionId: string): Reply {
    const { turns } = store.get(sessionId)
    const events = parseIncomingEvents(jsonBody(request))
    request.notes.push(...events.map(noteOf))
    const stored = events.map((event) => turns.accept(event).raw)
    return { kind: 'body', status: 202, body: `{"events":[${stored.join(',')}]}` }
  }

  /** Oldest first. */
  function listEvents({ query, view = {} }: ApiRequest, sessionId: string): Reply {
    const { items, nextCursor } = pageOf(eventsIn(store.get(sessionId).log, view), pageQuery(query))
    const data = items.map(({ raw }) => raw).join(',')
    const cursor = JSON.stringify(nextCursor ?? (view.loops ? FIRST_CURSOR : null))
    return { kind: 'body', status: 200, body: `{"data":[${data}],"nextCursor":${cursor}}` }
  }

  function streamEvents({ headers }: ApiRequest, sessionId: string): Reply {
    const lastEventId = headers['last-event-id']
    return streams.follow(store.get(sessionId).log, typeof lastEventId === 'string' ? lastEventId : undefined)
  }

  function listSessions({ query }: ApiRequest): Reply {
    const filters = (['agentId', 'userId', 'status'] as const).filter((name) => query.has(name))
    const { items, nextCursor } = store.list(pageQuery(query), (session) =>
      filters.every((name) => session[name] === query.get(name)),
    )
    return jsonReply(200, { data: items, nextCursor })
  }

  function getSession(_request: ApiRequest, sessionId: string): Reply {
    return jsonReply(200, store.get(sessionId).view())
  }

  function createSession(request: ApiRequest, agentId: string): Reply {
    const parsed = newSession.safeParse(request.body === '' ? {} : jsonBody(request), inWords)
    if (parsed.success) return jsonReply(201, store.create({ ...parsed.data, agentId }).view())
    const { place, message } = firstIssue(parsed.error)
    throw refusal('invalid_request', `${place || 'the body'}: ${message}`)
  }
}

const newSession = z.object({
  userId: z.optional(z.string()),
  title: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.unknown())),
})

function noteOf(event: IncomingEvent): string {
  const status = event.type === 'user.custom_tool_result' ? `:${event.status}` : ''
  const toolUseId = 'tool_use_id' in event ? ` ${excerpt(String(event.tool_use_id))}` : ''
  return `${event.type}${status}${toolUseId}`
}
