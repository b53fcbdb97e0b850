import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { Identity } from './authority.ts'

/** Takes TLS connections on a free port of 127.0.0.1, and hands what is in them to a plain server; gives the port. */
export async function tlsFront(identity: Identity, { toPort }: { toPort: number }): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer(identity, (socket) => {
    const upstream = connect(toPort, '127.0.0.1')
    for (const one of [socket, upstream]) one.on('error', () => {})
    socket.pipe(upstream).pipe(socket)
    socket.on('close', () => upstream.destroy())
    sockets.add(upstream)
  })
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
