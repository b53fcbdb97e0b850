import * as fc from 'fast-check'
import { decodeEvent, type Envelope, eventOf, type RawEvent } from '../../src/protocol/envelope.ts'
import type { CallState } from '../../src/protocol/tool-call.ts'

/** One change of a session: an event is appended, or a final replaces a running result and is told by a patch frame. */
export type Step =
  | { kind: 'append'; event: RawEvent; truth: Truth }
  | { kind: 'replace'; event: RawEvent; patch: RawEvent; truth: Truth }

/** What is so after a step; a turn is undefined between a final that replaced a running result and the turn's first event. */
export interface Truth {
  readonly turn: { state: 'unknown' | 'idle' | 'running' } | { state: 'blocked'; toolUseIds: string[] } | undefined
  readonly calls: Readonly<Record<string, CallState>>
}

/** An event with a sequence, as it stands in a history. */
export function event(
  sequence: number,
  type: string,
  payload: Record<string, unknown> = {},
  more: Partial<Envelope> = {},
): RawEvent {
  return eventOf({
    id: `evt_${sequence}`,
    type,
    sessionId: 'session_1',
    sequence,
    status: 'complete',
    payload: { type, ...payload },
    createdAt: timeAt(sequence),
    ...more,
  })
}

export function result(toolUseId: string, status: string, text: string): Record<string, unknown> {
  return {
    tool_use_id: toolUseId,
    content: [{ type: 'text', text }],
    status,
    is_error: status === 'failed',
  }
}

/** The frame that tells of a replaced result: without id and sequence, as a service may send it. */
export function patchOf(replaced: RawEvent): RawEvent {
  const { id, payload, processedAt } = replaced.envelope
  return eventOf({
    type: 'session.tool_updated',
    payload: { type: 'session.tool_updated', tool_use_id: payload.tool_use_id, event_id: id, payload },
    createdAt: processedAt ?? timeAt(0),
  })
}

/** The history after `count` steps, oldest first. */
export function historyAt(steps: readonly Step[], count = steps.length): RawEvent[] {
  const events = new Map<string, RawEvent>()
  for (const { event } of steps.slice(0, count)) events.set(event.envelope.id ?? '', event)
  return [...events.values()]
}

/** Every version of every event that was ever listed. */
export function allVersions(steps: readonly Step[]): RawEvent[] {
  return steps.map(({ event }) => event)
}

export function timeAt(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()
}

/** The logs of sessions in which an agent talks, calls tools, one or two at once, and is answered in every way there is. */
export function sessionLogs(options: { gaps?: boolean } = {}): fc.Arbitrary<Step[]> {
  return fc.array(fc.nat(999), { minLength: 1, maxLength: 60 }).map((choices) => playSession(choices, options))
}

function playSession(choices: readonly number[], { gaps = false }: { gaps?: boolean }): Step[] {
  const steps: Step[] = []
  const calls: Record<string, CallState> = {}
  const runningResults = new Map<string, RawEvent>()
  let chosen = 0
  let sequence = 0
  let seconds = 0

  if (pick(2) === 0) append('session.created', {}, { state: 'unknown' })
  while (chosen < choices.length) {
    startTurn()
    for (let round = pick(3); round > 0; round--) pick(2) === 0 ? talk() : callTools()
    endTurn()
  }
  return steps

  function pick(count: number): number {
    return (choices[chosen++] ?? 0) % count
  }

  function append(type: string, payload: Record<string, unknown>, turn: Truth['turn']): RawEvent {
    sequence += gaps ? 1 + pick(4) : 1
    seconds += 1
    const appended = event(sequence, type, payload, { createdAt: timeAt(seconds) })
    steps.push({ kind: 'append', event: appended, truth: { turn, calls: { ...calls } } })
    return appended
  }

  function startTurn(): void {
    const owed = [...runningResults.keys()].filter((id) => calls[id] === 'running')
    const owedId = owed[pick(Math.max(1, owed.length))]
    const way = pick(4)
    if (way === 0 && owedId !== undefined) replaceRunning(owedId)
    else if (way === 1 && sequence > 1) appendFinal(`call_unknown_${sequence}`)
    else append('user.message', { content: [{ type: 'text', text: 'go' }] }, { state: 'running' })
    if (pick(2) === 0) append('session.status_running', {}, { state: 'running' })
    else talk()
  }

  function replaceRunning(toolUseId: string): void {
    const running = runningResults.get(toolUseId) as RawEvent
    const status = pick(2) === 0 ? 'completed' : 'failed'
    calls[toolUseId] = status
    seconds += 1
    const payload = { type: 'user.custom_tool_result', ...result(toolUseId, status, `done ${pick(3)}`) }
    const replaced = eventOf({ ...running.envelope, payload, processedAt: timeAt(seconds) })
    steps.push({
      kind: 'replace',
      event: replaced,
      patch: patchOf(replaced),
      truth: { turn: undefined, calls: { ...calls } },
    })
  }

  function appendFinal(toolUseId: string): void {
    calls[toolUseId] = 'completed'
    append('user.custom_tool_result', result(toolUseId, 'completed', 'late'), { state: 'running' })
  }

  function talk(): void {
    append('agent.message', { content: [{ type: 'text', text: `word ${pick(5)}` }] }, { state: 'running' })
  }

  function callTools(): void {
    const open: string[] = []
    for (let count = 1 + pick(2); count > 0; count--) {
      const id = `call_${sequence}`
      open.push(id)
      const needsApproval = pick(3) === 0
      calls[id] = needsApproval ? 'awaiting_approval' : 'waiting'
      append(needsApproval ? 'agent.approval_request' : 'agent.custom_tool_use', use(id), blocked(open))
    }
    append('session.status_idle', requiresAction(open), blocked(open))
    while (open.length > 0) {
      const [id] = open.splice(pick(open.length), 1) as [string]
      answer(id, open)
      if (open.length > 0) append('session.status_idle', requiresAction(open), blocked(open))
      else if (pick(2) === 0) talk()
    }
  }

  function answer(id: string, others: readonly string[]): void {
    if (calls[id] === 'awaiting_approval') {
      const allowed = pick(2) === 0
      calls[id] = allowed ? 'approved' : 'denied'
      append('user.tool_confirmation', { tool_use_id: id, result: allowed ? 'allow' : 'deny' }, blocked(others))
      if (!allowed) return
      calls[id] = 'waiting'
      append('agent.custom_tool_use', use(id), blocked([...others, id]))
    }
    const way = pick(4)
    if (way === 3) {
      expire(id, others)
      return
    }
    const status = (['running', 'completed', 'failed'] as const)[way] ?? 'running'
    calls[id] = status
    const answered = append('user.custom_tool_result', result(id, status, `answer ${pick(3)}`), blocked(others))
    if (status === 'running') runningResults.set(id, answered)
  }

  /** The service stops waiting: for one of several calls it says so by a block on the others. */
  function expire(id: string, others: readonly string[]): void {
    seconds += 6 * 60
    calls[id] = 'expired'
    if (others.length > 0) append('session.status_idle', requiresAction(others), blocked(others))
    else talk()
  }

  function endTurn(): void {
    const reason = pick(3) === 0 ? { type: 'error', message: 'broke' } : { type: 'end_turn' }
    append('session.status_idle', { stop_reason: reason }, { state: 'idle' })
    const expired = Object.keys(calls).find((id) => calls[id] === 'expired')
    if (expired === undefined || pick(3) !== 0) return
    calls[expired] = 'running'
    const late = append('user.custom_tool_result', result(expired, 'running', 'late kickoff'), { state: 'idle' })
    runningResults.set(expired, late)
  }
}

function use(id: string): Record<string, unknown> {
  return { tool_use_id: id, name: 'render', input: { for: id } }
}

function requiresAction(ids: readonly string[]): Record<string, unknown> {
  return { stop_reason: { type: 'requires_action', event_ids: [...ids] } }
}

function blocked(ids: readonly string[]): Truth['turn'] {
  return ids.length === 0 ? { state: 'running' } : { state: 'blocked', toolUseIds: [...ids] }
}

/** The same event as another serializer writes it: other spacing, other order of keys, a time of processing filled in. */
export function rewritten({ envelope }: RawEvent): RawEvent {
  const { payload, ...rest } = envelope
  const reordered = Object.fromEntries(Object.entries(payload).reverse())
  return decodeEvent(JSON.stringify({ payload: reordered, processedAt: timeAt(9e6), ...rest }, null, 2)) as RawEvent
}
