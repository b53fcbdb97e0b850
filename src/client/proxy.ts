import { HermError } from '../errors.ts'
import { isLoopback } from '../protocol/loopback.ts'

/** Which proxy the environment names for a service, and whether it counts. */
export interface ProxyChoice {
  /** Undefined for a direct connection. */
  readonly proxy: URL | undefined
  /** The variable that names one, as it is spelled there; undefined when none does. */
  readonly variable: string | undefined
  /** Why the proxy that is named is not used. */
  readonly passedOver: 'this machine' | 'NO_PROXY' | undefined
}

/**
 * The proxy that the environment names for a service. Lower-case variables come first, as everywhere; an empty one counts
 * as unset. A service on this machine is never asked for through a proxy, which would read the key that plain http may
 * carry there. (undici's EnvHttpProxyAgent reads `process.env` itself, lets an empty variable hide the other spelling,
 * takes the proxy of http for https too, and has no such rule for this machine.)
 * Throws `usage` when the variable holds no address of a proxy; its value is not shown, as it may hold a password.
 */
export function chooseProxy(options: { url: URL; env: Readonly<Record<string, string | undefined>> }): ProxyChoice {
  const { url, env } = options
  const set = (name: string) => [name.toLowerCase(), name].find((spelling) => env[spelling]?.trim())
  const variable = set(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  if (variable === undefined) return { proxy: undefined, variable, passedOver: undefined }
  if (isLoopback(url)) return { proxy: undefined, variable, passedOver: 'this machine' }
  const exemptions = env[set('NO_PROXY') ?? ''] ?? ''
  if (isExempt(url, exemptions)) return { proxy: undefined, variable, passedOver: 'NO_PROXY' }
  return { proxy: proxyAddress(variable, env[variable]?.trim() ?? ''), variable, passedOver: undefined }
}

/** A proxy as it may be shown: without name and password. */
export function shownProxy({ protocol, host }: URL): string {
  return `${protocol}//${host}`
}

/** What to do when a proxy wants to know who asks. */
export function proxyLoginAdvice(variable: string): string {
  return `Put the name and the password for the proxy into ${variable}: http://NAME:PASSWORD@proxy.example:3128`
}

function proxyAddress(variable: string, address: string): URL {
  const absolute = address.includes('://') ? address : `http://${address}`
  const proxy = URL.canParse(absolute) ? new URL(absolute) : undefined
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy
  const kind = proxy === undefined ? 'no address of a proxy' : 'no proxy that speaks http or https'
  throw new HermError('usage', `${variable} holds ${kind}`, { hint: 'It looks like http://proxy.example:3128.' })
}

/** NO_PROXY: names with their subdomains, with or without a port, between commas or blanks; `*` is everything. */
function isExempt(url: URL, noProxy: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, host = '', onPort] = /^(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*?\./, '')) ?? []
      if (onPort !== undefined && onPort !== port) return false
      return host === '*' || url.hostname === host || url.hostname.endsWith(`.${host}`)
    })
}
