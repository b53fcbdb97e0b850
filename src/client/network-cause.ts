import { causeGroups, unknownCause } from './cause-groups.ts'
import { proxyLoginAdvice } from './proxy.ts'
import { passingStatuses } from './status-error.ts'

/** Why no complete answer came. */
export interface NetworkCause {
  /** The code of the system or of the HTTP library, such as `ECONNREFUSED`. */
  readonly code: string | undefined
  readonly words: string
  /** It may be gone at the next attempt. Any other, such as a certificate that is not trusted, stays. */
  readonly passing: boolean
  /** What to check or do. */
  readonly advice: string
}

/**
 * What an error of the system or of the HTTP library means. `proxyVariable` names the proxy in use: a failure to reach
 * the next machine is then one to reach the proxy.
 */
export function networkCause(error: Error, { proxyVariable }: { proxyVariable: string | undefined }): NetworkCause {
  const status = proxyAnswer(error)
  if (status !== undefined) return refusedByProxy(status, proxyVariable ?? 'HTTPS_PROXY')
  const code = causeCode(error)
  const group = causeGroups.find(
    ({ codes, others }) => code !== undefined && (Object.hasOwn(codes, code) || others?.test(code)),
  )
  const words = (code && group?.codes[code]) || group?.otherWords || error.message || error.name
  const { passing, advice, isFirstHop } = group ?? unknownCause
  const isProxy = isFirstHop && proxyVariable !== undefined
  return {
    code,
    words: isProxy ? `the proxy could not be reached: ${words}` : words,
    passing,
    advice: isProxy ? `Check the proxy that ${proxyVariable} names, or leave it out with NO_PROXY.` : advice,
  }
}

/** The first code in the chain of causes; node puts a failed connection to several addresses into an AggregateError. */
function causeCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  // The one error of undici that has no code.
  if (error.name === 'HTTPParserError') return error.name
  return causeCode(error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined))
}

/** The status with which a proxy refused a tunnel; undici has no code for it and says it in words. */
function proxyAnswer({ message }: Error): number | undefined {
  const status = /^Proxy response \((\d{3})\)/.exec(message)?.[1]
  return status === undefined ? undefined : Number(status)
}

function refusedByProxy(status: number, proxyVariable: string): NetworkCause {
  return {
    code: undefined,
    words: `the proxy answered ${status}`,
    passing: passingStatuses.has(status),
    advice: refusalAdvice(status, proxyVariable),
  }
}

function refusalAdvice(status: number, proxyVariable: string): string {
  if (status === 407) return proxyLoginAdvice(proxyVariable)
  if (status >= 500) return 'The proxy could not reach the service: check the base URL, and try again.'
  return 'Ask whoever runs the proxy to let the service through, or leave the proxy out with NO_PROXY.'
}
