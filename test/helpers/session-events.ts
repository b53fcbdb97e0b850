import { event, result } from '../protocol/session-log.ts'
import { type Behaviour, json } from './scripted-server.ts'

/** The events of a session in which `call_1` of the tool `render` is asked for, begun and done. */

export const said = (sequence: number, text = 'hello') =>
  event(sequence, 'agent.message', { content: [{ type: 'text', text }] })

export const call = (sequence: number) =>
  event(sequence, 'agent.custom_tool_use', { tool_use_id: 'call_1', name: 'render', input: { p: 1 } })

export const kickoff = (sequence: number) =>
  event(sequence, 'user.custom_tool_result', result('call_1', 'running', 'begun'))

export const final = (sequence: number) =>
  event(sequence, 'user.custom_tool_result', result('call_1', 'completed', 'done'))

export const idle = (sequence: number, reason: object = { type: 'end_turn' }) =>
  event(sequence, 'session.status_idle', { stop_reason: reason })

export const blocked = (sequence: number) => idle(sequence, { type: 'requires_action', event_ids: ['call_1'] })

/** An answer that is no success, with the service's words. */
export const refusal = (code: number, words: string): Behaviour =>
  json({ error: { code: words, message: `because ${words}` } }, { status: code })
