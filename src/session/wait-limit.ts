import { type Clock, deadline } from '../clock.ts'
import { HermError } from '../errors.ts'
import type { SessionState } from '../protocol/session-fold.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { FollowUpdate } from './follow.ts'

/** The limit of a wait for an idle session. Told of what is seen, it can say what it waited for. */
export interface WaitLimit {
  /** Aborts with HermError `timeout`, or with the reason of the given signal. */
  readonly signal: AbortSignal
  /** What is left of the time, in milliseconds, for a wait that has a limit of its own. */
  readonly leftMs: () => number
  readonly seen: (state: SessionState) => void
  /** What keeps the wait from getting on, until something is seen again. */
  readonly trouble: (reason: string) => void
  /** A lost connection is such a trouble. */
  readonly told: (update: FollowUpdate) => void
  readonly dispose: () => void
}

export function waitLimit(options: {
  clock: Clock
  sessionId: string
  timeoutMs: number
  signal?: AbortSignal | undefined
}): WaitLimit {
  let last: SessionState | undefined
  let trouble: string | undefined
  const endsAt = options.clock.elapsed() + options.timeoutMs
  const limit = deadline({
    clock: options.clock,
    ms: options.timeoutMs,
    parent: options.signal,
    reason: () => notInTime(options, { last, trouble }),
  })
  return {
    ...limit,
    leftMs: () => Math.max(endsAt - options.clock.elapsed(), 0),
    seen: (state) => {
      last = state
      // A session that is idle and was refused all the same has its trouble still.
      if (state.turn.state !== 'idle') trouble = undefined
    },
    trouble: (reason) => {
      trouble = reason
    },
    told: (update) => {
      if (update.kind === 'disconnected') trouble = `the connection is lost: ${update.reason}`
      if (update.kind === 'caught_up') trouble = undefined
    },
  }
}

function notInTime(
  { sessionId, timeoutMs }: { sessionId: string; timeoutMs: number },
  { last, trouble }: { last: SessionState | undefined; trouble: string | undefined },
): HermError {
  const within = `within ${timeoutMs / 1000} s`
  const again = { hint: 'Run the same command again, or give it longer with --timeout.' }
  if (trouble !== undefined) return new HermError('timeout', `not done ${within}: ${trouble}`, again)
  const waited = `session ${sessionId} was not idle ${within}`
  switch (last?.turn.state) {
    case undefined:
      return new HermError('timeout', `${waited}: its history could not be read in that time`, again)
    case 'running':
      return new HermError('timeout', `${waited}: a turn is still running`, again)
    case 'blocked': {
      const { toolUseIds } = last.turn
      const [toolUseId = ''] = toolUseIds
      const flags = `--session ${shellWord(sessionId)} --tool-use-id ${shellWord(toolUseId)}`
      const isApproval = last.calls.get(toolUseId)?.state === 'awaiting_approval'
      return new HermError('timeout', `${waited}: its turn waits for ${toolUseIds.join(', ')}`, {
        hint: `Answer it, for example with \`herm-tools ${isApproval ? `approve ${flags}` : `running ${flags} --text …`}\`.`,
      })
    }
    default:
      return new HermError('timeout', `not done ${within}, though session ${sessionId} is not at work`, again)
  }
}
