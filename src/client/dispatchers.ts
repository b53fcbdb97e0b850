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

export function createDispatchers(options: { proxy: URL | undefined; limits: HttpLimits }): Dispatchers {
  const reads = createDispatcher({ ...options, pipelining: 1 })
  const writes = createDispatcher({ ...options, pipelining: 0 })
  return {
    reads,
    writes,
    async destroy() {
      await Promise.all([reads.destroy(), writes.destroy()])
    },
  }
}

/** `pipelining` 0 is undici's way to say: one request per connection. */
function createDispatcher(options: { proxy: URL | undefined; limits: HttpLimits; pipelining: 0 | 1 }): Dispatcher {
  const { proxy, limits, pipelining } = options
  const connect = { timeout: limits.connectMs }
  if (proxy === undefined) return new Agent({ connect, pipelining })
  return new ProxyAgent({
    uri: proxy.href,
    pipelining,
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (origin, poolOptions) =>
      new Pool(origin, { ...poolOptions, headersTimeout: limits.connectMs }).compose(
        watchRequest({ onError: asFinal }),
      ),
  })
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
