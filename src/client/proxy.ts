import { HermError } from '../errors.ts'
import { isLoopback } from '../protocol/loopback.ts'

/**
 * The proxy that the environment names for a service, undefined for a direct connection. Lower-case variables come
 * first, as everywhere; an empty one counts as unset. A service on this machine is never asked for through a proxy,
 * which would read the key that plain http may carry there.
 * Throws `usage` when the variable holds no address; its value is not shown, as it may hold a password.
 */
export function chooseProxy(options: { url: URL; env: Readonly<Record<string, string | undefined>> }): URL | undefined {
  const { url, env } = options
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const read = (variable: string) => env[variable.toLowerCase()]?.trim() || env[variable]?.trim() || undefined
  const address = read(name)
  if (address === undefined || isLoopback(url) || isExempt(url, read('NO_PROXY') ?? '')) return undefined
  const absolute = address.includes('://') ? address : `http://${address}`
  if (URL.canParse(absolute)) return new URL(absolute)
  throw new HermError('usage', `${name} holds no address of a proxy`, {
    hint: 'It looks like http://proxy.example:3128.',
  })
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
