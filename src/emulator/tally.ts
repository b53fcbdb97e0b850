import type { EventLog } from './event-log.ts'
import type { ApiRequest, Reply } from './reply.ts'

/** What came of the requests so far. */
export interface Tally {
  /** The answer it was given, counted. */
  readonly answer: (request: ApiRequest) => Reply
  /** How many requests had all of their events accepted. */
  accepted(): number
  /** By code, how many were refused. */
  refused(): Readonly<Record<string, number>>
}

export function createTally(answer: (request: ApiRequest) => Reply): Tally {
  const refused = new Map<string, number>()
  let accepted = 0

  return {
    answer(request) {
      const reply = answer(request)
      if (reply.kind !== 'body') return reply
      if (reply.status === 202) accepted += 1
      if (reply.code !== undefined) refused.set(reply.code, (refused.get(reply.code) ?? 0) + 1)
      return reply
    },
    accepted: () => accepted,
    refused: () => Object.fromEntries(refused),
  }
}

/** By tool-use id, how many finals the histories hold. */
export function countFinals(logs: readonly EventLog[]): Readonly<Record<string, number>> {
  const finals = new Map<string, number>()
  for (const { envelope } of logs.flatMap((log) => log.events())) {
    const { type, status, tool_use_id } = envelope.payload
    if (type !== 'user.custom_tool_result' || status === 'running') continue
    finals.set(String(tool_use_id), (finals.get(String(tool_use_id)) ?? 0) + 1)
  }
  return Object.fromEntries(finals)
}
