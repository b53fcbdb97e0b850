import { createServer } from 'node:http'

/**
 * A session that goes on for `events` events, `cutEvery` of them on each connection, which is then cut: by turns in good
 * order and with a reset, which loses what was not read yet. Its history lists the events of the last connection only.
 * On each connection `calls` tool calls are asked for, begun, and completed.
 */
export async function startSession({ events, cutEvery, calls, textChars }) {
  let sequence = 0
  let connections = 0
  let listed = []
  let stream

  const server = createServer((request, response) => {
    if (request.url.includes('/events/stream')) {
      connections++
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      stream = response
    } else if (request.url.includes('/events')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"data":[${listed.join()}]}`, goOn)
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"s","status":"running"}')
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    connections: () => connections,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }

  /** Once history was read, so that it can show what a reset has lost. */
  function goOn() {
    const response = stream
    stream = undefined
    if (response === undefined || sequence >= events) return
    const { frames, history } = nextEvents()
    listed = history
    response.write(frames.join(''), () => (connections % 2 === 0 ? response.socket?.resetAndDestroy() : response.end()))
  }

  /** What the stream says of the next events, and what history says of them afterwards. */
  function nextEvents() {
    const frames = []
    const history = []
    const end = Math.min(events, sequence + cutEvery)
    const emit = (event) => {
      frames.push(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`)
      history.push(JSON.stringify(event))
    }
    for (let call = 0; call < calls && sequence + 2 <= end; call++) {
      const tool_use_id = `custom_toolu_${connections}_${call}`
      emit(nextEvent('agent.custom_tool_use', { tool_use_id, name: 'render', input: { text: filler() } }))
      const kickoff = nextEvent('user.custom_tool_result', { tool_use_id, status: 'running', content: 'begun' })
      emit(kickoff)
      const payload = { tool_use_id, status: 'completed', content: filler() }
      const patch = { type: 'session.tool_updated', payload: { event_id: kickoff.id, payload } }
      frames.push(`data: ${JSON.stringify(patch)}\n\n`)
      // protocol: the final replaces the kickoff in history, under its id.
      history[history.length - 1] = JSON.stringify({ ...kickoff, payload })
    }
    while (sequence < end) emit(nextEvent('agent.message', { content: [{ type: 'text', text: filler() }] }))
    return { frames, history }
  }

  function nextEvent(type, payload) {
    sequence++
    const createdAt = new Date(Date.UTC(2026, 0) + sequence).toISOString()
    return { id: `evt_${sequence}`, type, sessionId: 's', sequence, status: 'complete', payload, createdAt }
  }

  /** Unlike any other. */
  function filler() {
    return `${sequence} `.padEnd(textChars, 'abcdefghij')
  }
}
