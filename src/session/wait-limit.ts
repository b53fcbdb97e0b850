import { type Clock, deadline } from '../clock.ts'
import { HermError } from '../errors.ts'
import type { SessionState } from '../protocol/session-fold.ts'

/** The limit of a wait for an idle session. Told of what is seen, it can say what it waited for. */
export interface WaitLimit {
  /** Aborts with HermError `timeout`, or with the reason of the given signal. */
  readonly signal: AbortSignal
  /** What is left of the time, in milliseconds, for a wait that has a limit of its own. */
  readonly leftMs: () => number
  readonly seen: (state: SessionState) => void
  readonly dispose: () => void
}

export function waitLimit(options: {
  clock: Clock
  sessionId: string
  timeoutMs: number
  signal?: AbortSignal | undefined
}): WaitLimit {
  let last: SessionState | undefined
  const endsAt = options.clock.elapsed() + options.timeoutMs
  const limit = deadline({
    clock: options.clock,
    ms: options.timeoutMs,
    parent: options.signal,
    reason: () => notInTime(options, last),
  })
  return {
    ...limit,
    leftMs: () => Math.max(endsAt - options.clock.elapsed(), 0),
    seen: (state) => {
      last = state
    },
  }
}

function notInTime(
  { sessionId, timeoutMs }: { sessionId: string; timeoutMs: number },
  last: SessionState | undefined,
): HermError {
  const waited = `session ${sessionId} was not idle within ${timeoutMs / 1000} s`
  if (last === undefined) return new HermError('timeout', `${waited}: its history could not be read in that time`)
  if (last.turn.state === 'blocked') {
    const [first] = last.turn.toolUseIds
    return new HermError('timeout', `${waited}: its turn waits for ${last.turn.toolUseIds.join(', ')}`, {
      hint: `Answer it, for example with \`herm-tools running --session ${sessionId} --tool-use-id ${first} --text …\`.`,
    })
  }
  return new HermError('timeout', `${waited}: a turn is still running`, {
    hint: 'Run the same command again, or give it longer with --timeout.',
  })
}
