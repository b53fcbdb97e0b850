import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkCause } from '../../client/network-cause.ts'
import { chooseProxy, type ProxyChoice, shownProxy } from '../../client/proxy.ts'
import { type Finding, type Installation, ok, problem, skipped, warning } from './finding.ts'

export async function checkProxy(installation: Installation): Promise<Finding> {
  const { url, proxy, variable, passedOver } = await chosenProxy(installation)
  const facts = { proxy: proxy ? shownProxy(proxy) : null, variable: variable ?? null }
  if (proxy !== undefined) return ok(`${shownProxy(proxy)} (${variable})`, facts)
  if (passedOver === 'NO_PROXY') return ok(`none: NO_PROXY takes ${url.host} out of ${variable}`, facts)
  if (passedOver !== undefined) return ok(`none: ${variable} does not count for ${passedOver}`, facts)
  return ok('none: no variable names one', facts)
}

/** Looks the host up as a connection would. With a proxy, only the proxy's name is looked up here. */
export async function checkHostName(installation: Installation): Promise<Finding> {
  const { url, proxy, variable } = await chosenProxy(installation)
  const { hostname } = proxy ?? url
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const whose = proxy === undefined ? host : `${host}, the proxy`
  if (isIP(host) !== 0) return ok(`${whose}: it is an address, and needs no look-up`)
  try {
    const addresses = (await lookup(host, { all: true })).map(({ address }) => address)
    return ok(`${whose}: ${addresses.join(', ')}`, { host, addresses })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const { code, words, advice } = networkCause(error, { proxyVariable: proxy && variable })
    return problem(`${host}: ${words} (${code})`, advice, 'unreachable')
  }
}

export async function checkConnection({ clock, probe }: Installation): Promise<Finding> {
  const { ms, tls } = await (await probe()).connected
  if (tls === undefined) return ok(`made in ${ms} ms, plain http`, { ms })
  const validTo = new Date(tls.validTo).toISOString()
  const facts = { ms, protocol: tls.protocol, issuer: tls.issuer, valid_to: validTo }
  const day = validTo.slice(0, 10)
  const found = `made in ${ms} ms, ${tls.protocol}, certificate of ${tls.issuer}, valid to ${day}`
  if (tls.validTo - clock.now() > EXPIRY_NOTICE_MS) return ok(found, facts)
  return warning(found, 'Ask whoever runs the service to renew its certificate, which soon expires.', facts)
}

/** Renewal by hand takes days; that by machine happens a month before the end. */
const EXPIRY_NOTICE_MS = 14 * 24 * 60 * 60_000

export async function checkClock({ probe, client }: Installation): Promise<Finding> {
  // A refusal tells the time as well.
  await (await probe()).answered.catch(() => undefined)
  const skewMs = (await client()).skewMs()
  if (skewMs === undefined) return skipped('the service did not tell its time')
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  const facts = { skew_ms: skewMs }
  if (Math.abs(skewMs) <= SKEW_NOTICE_MS) return ok(`it differs from the service's by at most ${seconds + 1} s`, facts)
  return warning(
    `this machine is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} the service`,
    'Set the clock. Time left and --since go by the clock of the service; certificates are checked by that of this machine.',
    facts,
  )
}

/** A `Date` has whole seconds and is some time on its way; well-kept clocks differ by less than one. */
const SKEW_NOTICE_MS = 30_000

async function chosenProxy({ settings, env }: Installation): Promise<ProxyChoice & { url: URL }> {
  const url = new URL((await settings()).baseUrl.value)
  return { url, ...chooseProxy({ url, env }) }
}
