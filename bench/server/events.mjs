/** An event as the service writes it: with a message of some words, about 260 characters. */
export function eventText({ sequence, payload }) {
  return JSON.stringify({
    id: `evt_${sequence}`,
    type: payload.type,
    sessionId: 'ses_bench',
    sequence,
    status: 'complete',
    payload,
    createdAt: new Date(Date.UTC(2026, 0) + sequence).toISOString(),
  })
}

export function messageText(sequence) {
  const text = `The render of scene ${sequence} is still under way.`
  return eventText({ sequence, payload: { type: 'agent.message', delta: false, content: [{ type: 'text', text }] } })
}

/** Its frame on a stream. */
export function frameOf(text) {
  const { id, type } = JSON.parse(text)
  return `event: ${type}\nid: ${id}\ndata: ${text}\n\n`
}
