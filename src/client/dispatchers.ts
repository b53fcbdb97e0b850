import type { SecureContext } from 'node:tls'
import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { HttpLimits } from './limits.ts'
import { watchRequest } from './watch-request.ts'

export interface Dispatchers {
  /** Keeps connections for the next GET. */
  readonly reads: Dispatcher
  /**
   * Opens a connection for each POST. On a kept one, a request can meet the moment in which the service closes it, and
   * then nobody knows whether it was taken; a new connection costs a round trip and never meets that.
   */
  readonly writes: Dispatcher
  /** Closes every connection at once. */
  destroy(): Promise<void>
}

export interface DispatcherOptions {
  /** The one service that is asked. */
  readonly service: URL
  readonly proxy: URL | undefined
  readonly limits: HttpLimits
  /** What certificates are checked against; what Node.js trusts when it is left out. */
  readonly trust?: SecureContext | undefined
}

export function createDispatchers(options: DispatcherOptions): Dispatchers {
  // `pipelining` 0 is undici's way to say: one request per connection.
  const reads = createDispatcher(options, { pipelining: 1 })
  const writes = createDispatcher(options, { pipelining: 0 })
  return {
    reads,
    writes,
    async destroy() {
      await Promise.all([reads.destroy(), writes.destroy()])
    },
  }
}

function createDispatcher(
  { service, proxy, limits, trust }: DispatcherOptions,
  { pipelining }: { pipelining: 0 | 1 },
): Dispatcher {
  const connect = { timeout: limits.connectMs, ...(trust && { secureContext: trust }) }
  if (proxy === undefined) return new Agent({ connect, pipelining })
  const login = proxyLogin(proxy)
  if (service.protocol === 'http:') {
    return new Pool(proxy.origin, { connect, pipelining }).compose(inAbsoluteForm({ service, login }))
  }
  return new ProxyAgent({
    uri: proxy.origin,
    ...(login && { token: login }),
    pipelining,
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (origin, poolOptions) =>
      new Pool(origin, { ...poolOptions, headersTimeout: limits.connectMs }).compose(
        watchRequest({ onError: asFinal }),
      ),
  })
}

/** undici itself leaves out a name without a password, as tokens are given, and throws at a `%` that escapes nothing. */
function proxyLogin({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64')}`
}

function unescaped(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
}

/** Plain http is asked of the proxy itself, as is usual: many refuse a tunnel to any port but that of https. */
function inAbsoluteForm(to: { service: URL; login: string | undefined }): Dispatcher.DispatcherComposeInterceptor {
  const headers = { host: to.service.host, ...(to.login && { 'proxy-authorization': to.login }) }
  return (dispatch) => (options, handler) =>
    dispatch(
      { ...options, path: to.service.origin + options.path, headers: { ...options.headers, ...headers } },
      handler,
    )
}

/**
 * undici connects again, without a pause and without an end, when a proxy drops the connection while it is asked for a
 * tunnel, since its error looks like that of a kept connection. With another code it is the failure that it is.
 */
function asFinal(error: Error): Error {
  return 'code' in error && error.code === 'UND_ERR_SOCKET'
    ? Object.assign(new Error('the proxy cut the connection', { cause: error }), { code: 'ECONNRESET' })
    : error
}
