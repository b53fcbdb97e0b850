import { eventText, messageText } from './events.mjs'

export const PAST_PAGE_EVENTS = 100
/** A message, the turn with a call that was answered at once, its end. */
const TURN_EVENTS = 10

/** Pages of the past, made once: they are the same in every session. @type {Buffer[]} */
const pages = []

export function pastPage(index) {
  pages[index] ??= Buffer.from(`{"data":[${pastEvents(index * PAST_PAGE_EVENTS).join()}],"nextCursor":"${index + 1}"}`)
  return pages[index]
}

function pastEvents(after) {
  return Array.from({ length: PAST_PAGE_EVENTS }, (_, index) => {
    const sequence = after + index + 1
    const payload = turnEvent(index % TURN_EVENTS, `custom_toolu_past_${Math.floor((sequence - 1) / TURN_EVENTS)}`)
    return payload === undefined ? messageText(sequence) : eventText({ sequence, payload })
  })
}

/** The event at this place in a turn; undefined for a message of the agent. */
function turnEvent(place, tool_use_id) {
  switch (place) {
    case 0:
      return { type: 'user.message', content: [{ type: 'text', text: 'The next scene, please, at sea and by night.' }] }
    case 1:
      return { type: 'session.status_running' }
    case 3:
      return asked(tool_use_id)
    case 4:
      return result(tool_use_id, 'completed')
    case TURN_EVENTS - 1:
      return { type: 'session.status_idle', stop_reason: { type: 'end_turn' } }
    default:
      return undefined
  }
}

/** A turn whose call was answered with `running`, and the place of that answer. */
export function callTail({ after, toolUseId }) {
  const payloads = [
    { type: 'user.message', content: [{ type: 'text', text: 'A boat at sea, please.' }] },
    { type: 'session.status_running' },
    asked(toolUseId),
    result(toolUseId, 'running'),
    { type: 'agent.message', content: [{ type: 'text', text: 'The video is being rendered.' }] },
    { type: 'session.status_idle', stop_reason: { type: 'end_turn' } },
  ]
  return { events: numbered(payloads, after), resultSequence: after + 4 }
}

/** One turn with this many calls, all answered with `running`. */
export function openCalls(calls, n) {
  const ids = Array.from({ length: calls }, (_, index) => `custom_toolu_${n}_${index}`)
  return numbered([
    { type: 'user.message', content: [{ type: 'text', text: 'All scenes, please.' }] },
    { type: 'session.status_running' },
    ...ids.map(asked),
    ...ids.map((id) => result(id, 'running')),
    { type: 'session.status_idle', stop_reason: { type: 'end_turn' } },
  ])
}

function numbered(payloads, after = 0) {
  return payloads.map((payload, index) => eventText({ sequence: after + index + 1, payload }))
}

function asked(tool_use_id) {
  return { type: 'agent.custom_tool_use', tool_use_id, name: 'render_video', input: { prompt: 'A boat at sea' } }
}

function result(tool_use_id, status) {
  const content = [{ type: 'text', text: status === 'running' ? 'Rendering.' : 'Rendered: boat.mp4' }]
  return { type: 'user.custom_tool_result', tool_use_id, content, status, is_error: false }
}
