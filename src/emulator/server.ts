import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../clock.ts'
import { excerpt } from '../protocol/json-text.ts'
import { type Answer, type ApiRequest, errorReply } from './reply.ts'
import { readRequestBody } from './request-body.ts'
import { sendReply } from './send-reply.ts'

interface Address {
  readonly port: number
  readonly host: string
}

export interface ApiServer {
  /** Resolves with the port that was taken. Rejects when it cannot be had, such as `EADDRINUSE`. */
  listen(address: Address): Promise<number>
  /** Cuts every connection; resolves at once, also when it was not listening. */
  close(): Promise<void>
}

/**
 * HTTP around `answer`, which is the one seam that every exchange passes: a function in its place sees each request, and
 * may change, delay or break each reply, the text of a stream included.
 */
export function createApiServer(options: { answer: Answer; clock: Clock; log: (line: string) => void }): ApiServer {
  const { answer, clock, log } = options
  const server = createServer((request, response) => void exchange(request, response))

  return {
    listen: ({ port, host }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve((server.address() as AddressInfo).port)
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function exchange(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = clock.elapsed()
    const head = headOf(incoming)
    const reply = await readRequestBody(incoming)
      .then((body) => answer({ ...head, body }))
      .catch((error: unknown) => errorReply(error))
    if (response.destroyed) return
    response.setHeader('date', new Date(clock.now()).toUTCString())
    const outcome = sendReply(reply, response)
    log([head.method, excerpt(head.path), outcome, `${clock.elapsed() - startedAt}ms`, ...head.notes].join(' '))
  }
}

function headOf({ method = '', url = '', headers }: IncomingMessage): Omit<ApiRequest, 'body'> {
  const [path = '', query] = url.split('?', 2)
  return { method, path, query: new URLSearchParams(query), headers, notes: [] }
}
