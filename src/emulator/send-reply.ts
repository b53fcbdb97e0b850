import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Reply } from './reply.ts'

/** Sends a reply. Returns its status, or what came of the request in place of one, for the log. */
export function sendReply(reply: Reply, response: ServerResponse): number | 'cut' | 'silence' {
  switch (reply.kind) {
    case 'body':
      setHead(response, reply.status, { ...JSON_HEADERS, ...reply.headers })
      response.end(reply.body)
      return reply.status
    case 'truncated':
      setHead(response, reply.status, {
        ...JSON_HEADERS,
        'content-length': Buffer.byteLength(reply.body),
        ...reply.headers,
      })
      response.write(reply.body.slice(0, reply.body.length / 2), () => response.destroy())
      return reply.status
    case 'stream':
      setHead(response, 200, { ...STREAM_HEADERS, ...reply.headers })
      response.flushHeaders()
      openStream(reply, response)
      return 200
    case 'cut':
      response.destroy()
      return 'cut'
    case 'silence':
      return 'silence'
  }
}

function setHead(response: ServerResponse, status: number, headers: OutgoingHttpHeaders): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
}

function openStream({ open }: Reply & { kind: 'stream' }, response: ServerResponse): void {
  const onClose = open({
    send(text) {
      if (response.writableEnded || response.destroyed) return
      response.write(text)
      // Whoever reads so slowly loses the connection, and asks again from its last event.
      if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
    },
    end: () => response.end(),
    reset: () => response.socket?.resetAndDestroy(),
  })
  response.on('close', onClose)
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' }
const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' }

/** More than a long history replayed at once, less than what a process can hold for many streams. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024
