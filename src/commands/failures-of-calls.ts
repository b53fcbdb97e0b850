import { RequestError } from '../client/request-error.ts'
import { type ErrorKind, HermError, isEndByUser } from '../errors.ts'
import type { ToolCall } from '../protocol/tool-call.ts'

/** Whether the next call may fare better. Not so where the service refuses for now: it wants to be left alone. */
export function isOfOneCall(error: HermError): boolean {
  const { kind } = error
  const isForNow = error instanceof RequestError && error.passing
  return !isForNow && (kind === 'unknown' || kind === 'rejected' || kind === 'conflict')
}

/**
 * The error that ends the run before its last call, with what it leaves. Its kind must not say that nothing was accepted
 * where something was.
 */
export function endedEarly(
  error: HermError,
  { accepted, left }: { accepted: number; left: readonly ToolCall[] },
): HermError {
  if (accepted === 0 && left.length === 1) return error
  const ids = left.slice(0, SHOWN_IDS).map(({ toolUseId }) => toolUseId)
  const more = left.length > ids.length ? ` and ${left.length - ids.length} more` : ''
  const kind = accepted > 0 && !isEndByUser(error) ? 'failed' : error.kind
  return new HermError(kind, `${error.message}; accepted before: ${accepted}, left: ${ids.join(', ')}${more}`, {
    hint: [error.hint, 'The same command answers what is left.'].filter(Boolean).join(' '),
    serviceCode: error.serviceCode,
    status: error.status,
    cause: error,
  })
}

/**
 * Throws one of the failures and warns of the others: what may have been accepted is worse than all else, and what ended
 * the run worse than what became of one call.
 */
export function throwWorst(
  { failures, end }: { failures: readonly HermError[]; end: HermError | undefined },
  warn: (text: string) => void,
): void {
  const of = (kind: ErrorKind) => failures.find((failure) => failure.kind === kind)
  const worst = of('unknown') ?? end ?? of('rejected') ?? of('conflict')
  if (worst === undefined) return
  for (const failure of [...failures, end]) if (failure && failure !== worst) warn(failure.message)
  throw worst
}

const SHOWN_IDS = 5
