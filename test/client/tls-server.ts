import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import { onTestFinished } from 'vitest'

export interface PortServer {
  readonly port: number
  /** How many connections were made so far. */
  connections(): number
}

/** A TLS server whose certificate nobody trusts. */
export function selfSignedServer(): Promise<PortServer> {
  return listen(createServer({ key, cert }))
}

/** A server that takes connections and never says a word. */
export function silentServer(): Promise<PortServer> {
  return listen(createTcpServer())
}

async function listen(server: ReturnType<typeof createTcpServer>): Promise<PortServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {})
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => sockets.size }
}

/** Made for these tests with openssl, for 127.0.0.1, good for a hundred years; it protects nothing. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrWZiSgiiQBL4pN6d
5rr6G9dCSVqDwKyxNdpL7A6FOWChRANCAAR29aeAAQr6LwzzJk5m8csNZNJz+u+q
psuxJCQPgrjZW6KZaT3qtvTkj9uBObp24KPo+ryvOQdXr5LpmR/YgDQq
-----END PRIVATE KEY-----`

const cert = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUDbmZ1MW9eHIEnkMiD+bb19D1NPkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTIwMDA0NVoYDzIxMjYxMTA1
MjAwMDQ1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR29aeAAQr6LwzzJk5m8csNZNJz+u+qpsuxJCQPgrjZW6KZaT3qtvTk
j9uBObp24KPo+ryvOQdXr5LpmR/YgDQqo28wbTAdBgNVHQ4EFgQUV9Ow8ov+0q5h
C4pasqkoxnKhULcwHwYDVR0jBBgwFoAUV9Ow8ov+0q5hC4pasqkoxnKhULcwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgCQ3RoYvSjq3+Q5+WcFpIvuOnH21+4kBnrMdBlkL8IEsCIHs+
Y2dwMfXwEJbTtaWrpup7KBZiFibCcm9AMB9AMxa9
-----END CERTIFICATE-----`
