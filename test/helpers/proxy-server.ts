import { createServer, request as forward, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ProxyServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** What was asked of it: `CONNECT herm.test:443`, `GET http://herm.test/v1`. */
  readonly asked: string[]
  /** The `Proxy-Authorization` that came along with each. */
  readonly logins: (string | undefined)[]
}

export interface ProxyBehaviour {
  /** Where everything goes, whatever host it is for. */
  readonly toPort?: number
  /** Who is let through, as `NAME:PASSWORD`; everybody else gets a 407. */
  readonly login?: string
  /** What everybody gets: a status, a cut connection, or no answer. */
  readonly refusal?: number | 'cut' | 'silence'
  /** Of plain http: keeps the head of an answer until some of its body is there. */
  readonly buffers?: boolean
}

/** A real proxy on a free port: tunnels by CONNECT, and plain http in absolute form. Closed when the test is finished. */
export async function proxyServer({ toPort, login, refusal, buffers }: ProxyBehaviour): Promise<ProxyServer> {
  const asked: string[] = []
  const logins: ProxyServer['logins'] = []
  const sockets = new Set<Socket>()
  const expected = login && `Basic ${Buffer.from(login).toString('base64')}`

  /** What the request is refused with; undefined lets it through. */
  function judge({ method, url, headers }: IncomingMessage): ProxyBehaviour['refusal'] {
    asked.push(`${method} ${url}`)
    const given = headers['proxy-authorization']
    logins.push(given)
    return refusal ?? (expected === given ? undefined : 407)
  }

  const server = createServer((request, response) => {
    const verdict = judge(request)
    if (verdict === 'silence') return
    if (verdict === 'cut') return void request.socket.destroy()
    if (verdict !== undefined) return void response.writeHead(verdict).end()
    const { pathname, search } = new URL(request.url ?? '')
    const { 'proxy-authorization': _login, ...headers } = request.headers
    const options = { port: toPort, host: '127.0.0.1', method: request.method, path: pathname + search, headers }
    const onward = forward(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (!buffers) response.flushHeaders()
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const verdict = judge(request)
    if (verdict === 'silence') return
    if (verdict === 'cut') return void socket.destroy()
    if (verdict !== undefined) return void socket.end(`HTTP/1.1 ${verdict} No\r\ncontent-length: 0\r\n\r\n`)
    const upstream = connect(toPort ?? 0, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    sockets.add(upstream)
  })
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, asked, logins }
}
