import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { decodeSessionPage, type SessionPage } from '../protocol/session.ts'
import { openGet } from './get.ts'
import type { Http } from './http.ts'
import { readAnswer } from './read-answer.ts'

/** One look at the way to the service, told step by step. Each promise rejects as a GET does; they may be left alone. */
export interface Probe {
  readonly connected: Promise<Connection>
  readonly answered: Promise<ProbeAnswer>
}

export interface Connection {
  /** Milliseconds from the look-up of the name to the end of the handshakes, with a proxy's included. */
  readonly ms: number
  /** Undefined for plain http. */
  readonly tls: TlsFacts | undefined
}

export interface TlsFacts {
  /** Such as `TLSv1.3`. */
  readonly protocol: string
  readonly issuer: string
  /** Milliseconds since the epoch. */
  readonly validTo: number
}

export interface ProbeAnswer {
  /** Milliseconds from the connection to the end of the answer. */
  readonly ms: number
  readonly page: SessionPage
}

/** Asks for one session, once; to be the first request of its client, so that it makes the connection. */
export function probe(http: Http, { signal }: { signal: AbortSignal }): Probe {
  const { elapsed } = http.clock
  const startedAt = elapsed()
  let connectedAt = startedAt
  let connect: (connection: Connection) => void
  const connected = new Promise<Connection>((resolve) => {
    connect = resolve
  })

  // The only place where the HTTP library shows its sockets. A tunnel through a proxy is asked for with CONNECT.
  const onHeaders = (message: unknown) => {
    const { request, socket } = message as { request: { method: string }; socket: Socket }
    if (request.method !== 'GET') return
    connectedAt = elapsed()
    connect({ ms: connectedAt - startedAt, tls: isTls(socket) ? tlsFacts(socket) : undefined })
  }
  subscribe(SEND_HEADERS, onHeaders)
  const answered = ask().finally(() => unsubscribe(SEND_HEADERS, onHeaders))
  const connectedOrNot = Promise.race([connected, answered.then(() => connected)])
  for (const promise of [answered, connectedOrNot]) promise.catch(() => {})
  return { connected: connectedOrNot, answered }

  async function ask(): Promise<ProbeAnswer> {
    const url = http.url('/v1/sessions', { limit: '1' })
    const answer = await openGet(http, { url, signal, headers: { accept: 'application/json' } })
    const page = await readAnswer(http, answer, decodeSessionPage)
    return { ms: elapsed() - connectedAt, page }
  }
}

const SEND_HEADERS = 'undici:client:sendHeaders'

function isTls(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket
}

function tlsFacts(socket: TLSSocket): TlsFacts {
  const { issuer, valid_to: validTo } = socket.getPeerCertificate()
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    issuer: [issuer?.O ?? issuer?.CN ?? 'an unnamed authority'].flat().join(', '),
    validTo: Date.parse(validTo),
  }
}
