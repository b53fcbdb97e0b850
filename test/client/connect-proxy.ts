import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ConnectProxy {
  readonly url: string
  /** `host:port` of each tunnel that was asked for, with the credentials that came along. */
  readonly tunnels: { readonly to: string; readonly authorization: string | undefined }[]
}

/** A proxy that tunnels everything to one port of this machine, answers with a status, cuts the connection, or is silent. */
export async function connectProxy(
  answer: { toPort: number } | { status: number } | 'cut' | 'silent',
): Promise<ConnectProxy> {
  const tunnels: ConnectProxy['tunnels'] = []
  const sockets = new Set<Socket>()
  const server = createServer()
  server.on('connection', (socket) => sockets.add(socket))
  server.on('connect', (request, socket) => {
    tunnels.push({ to: request.url ?? '', authorization: request.headers['proxy-authorization'] })
    socket.on('error', () => {})
    if (answer === 'silent') return
    if (answer === 'cut') return void socket.destroy()
    if ('status' in answer) return void socket.end(`HTTP/1.1 ${answer.status} No\r\ncontent-length: 0\r\n\r\n`)
    const upstream = connect(answer.toPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    sockets.add(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels }
}
