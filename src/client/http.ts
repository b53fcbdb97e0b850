import type { IncomingHttpHeaders } from 'node:http'
import type { SecureContext } from 'node:tls'
import type { Clock } from '../clock.ts'
import { HermError } from '../errors.ts'
import { httpDateMs } from './backoff.ts'
import { connectionError } from './connection-error.ts'
import { createDispatchers } from './dispatchers.ts'
import { type Exchange, exchange, type HttpRequest } from './exchange.ts'
import { assertKeyIsSafe } from './key-safety.ts'
import { defaultLimits, type HttpLimits } from './limits.ts'
import { chooseProxy, shownProxy } from './proxy.ts'
import { createRedactor, type Redactor } from './redact.ts'
import type { RequestError } from './request-error.ts'

export interface HttpOptions {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  /** Plain http to another machine is refused without it, and warned of with it. */
  readonly allowInsecureHttp?: boolean | undefined
  readonly onWarning?: ((message: string) => void) | undefined
  /** What certificates are checked against, when not against those that Node.js trusts. */
  readonly trust?: SecureContext | undefined
  /** Read for the proxy variables only. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** From 0 to below 1, for the pauses between attempts. */
  readonly random: () => number
  /** Of herm-tools, for the user agent. */
  readonly version: string
  /** Takes one line per attempt: method, path, status, milliseconds. Never headers or bodies. */
  readonly debug?: ((line: string) => void) | undefined
  readonly limits?: Partial<HttpLimits> | undefined
}

/** The one way to the network: everything that is sent goes through `send`. */
export interface Http {
  readonly clock: Clock
  readonly random: () => number
  readonly limits: HttpLimits
  readonly redact: Redactor
  readonly hasKey: boolean
  debug(line: string): void
  /** The address of a path under the base URL. Undefined query values are left out. */
  url(path: string, query?: Readonly<Record<string, string | undefined>>): URL
  /**
   * Sends a request once and follows nothing. The answer may have any status; its body must be read or destroyed.
   * Throws RequestError when no answer came, and the reason of the abort as its `cause` when the signal ended it.
   */
  send(request: HttpRequest): Promise<Answer>
  /** The error of a request whose answer broke off. */
  failure(options: { request: HttpRequest; cause: unknown; sent: boolean }): RequestError
  /** The service's time in milliseconds since the epoch: this machine's, corrected by the last answer's `Date`. */
  serviceNow(): number
  /** How far the service's clock is ahead of this machine's, in milliseconds; undefined before an answer with a `Date`. */
  skewMs(): number | undefined
  /** Ends every connection at once. */
  close(): Promise<void>
}

export interface Answer extends Exchange {
  readonly request: HttpRequest
  /** The request in words, for messages: method, path without query, host, proxy. */
  readonly subject: string
}

/** Throws `usage` or `auth` when the key could not be sent safely, or at all. */
export function createHttp(options: HttpOptions): Http {
  const { clock } = options
  const base = new URL(options.baseUrl)
  const { apiKey, allowInsecureHttp = false, onWarning = () => {}, trust, env } = options
  assertKeyIsSafe({ base, apiKey, allowInsecureHttp, onWarning })
  const limits = { ...defaultLimits, ...options.limits }
  const { proxy, variable } = chooseProxy({ url: base, env })
  const redact = createRedactor(apiKey, proxy?.password)
  const dispatchers = createDispatchers({ service: base, proxy, limits, trust })
  const route = `at ${base.host}${proxy ? ` through the proxy ${shownProxy(proxy)}` : ''}`
  const proxyVariable = proxy && variable
  let skewMs: number | undefined

  const debug = (line: string) => options.debug?.(redact.text(line))
  const subjectOf = (request: HttpRequest) => redact.text(`${request.method} ${request.url.pathname} ${route}`)

  function failure({ request, cause, sent }: { request: HttpRequest; cause: unknown; sent: boolean }): RequestError {
    return connectionError({ subject: subjectOf(request), cause, sent, redact, proxyVariable, signal: request.signal })
  }

  return {
    clock,
    random: options.random,
    limits,
    redact,
    hasKey: apiKey !== undefined,
    debug,
    failure,
    url(path, query = {}) {
      const url = new URL(base.origin + base.pathname.replace(/\/+$/, '') + path)
      for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
      return url
    },
    async send(request) {
      if (request.url.origin !== base.origin) {
        throw new HermError('failed', 'a request would leave the configured service')
      }
      const startedAt = clock.elapsed()
      let sent = false
      try {
        const answer = await exchange({
          request,
          headers: {
            'user-agent': `herm-tools/${options.version}`,
            'accept-encoding': 'identity',
            ...(apiKey ? { 'x-api-key': apiKey } : {}),
            ...request.headers,
          },
          dispatcher: request.method === 'GET' ? dispatchers.reads : dispatchers.writes,
          limits,
          clock,
          onSent: () => {
            sent = true
          },
        })
        skewMs = clockSkewMs(answer.headers, clock.now()) ?? skewMs
        debug(`${request.method} ${request.url.pathname}: ${answer.status} after ${clock.elapsed() - startedAt} ms`)
        return { ...answer, request, subject: subjectOf(request) }
      } catch (cause) {
        const error = failure({ request, cause, sent })
        debug(`${error.message}, after ${clock.elapsed() - startedAt} ms`)
        throw error
      }
    },
    serviceNow: () => clock.now() + (skewMs ?? 0),
    skewMs: () => skewMs,
    close: dispatchers.destroy,
  }
}

function clockSkewMs(headers: IncomingHttpHeaders, now: number): number | undefined {
  const date = httpDateMs(headers.date)
  return date === undefined ? undefined : date - now
}
