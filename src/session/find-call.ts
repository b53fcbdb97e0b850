import type { Clock } from '../clock.ts'
import { HermError } from '../errors.ts'
import type { SessionState } from '../protocol/session-fold.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { readSessionState, type SessionSource } from './read-history.ts'

/**
 * Looks for a call that history did not show: an event may be listed some seconds late.
 * Throws `not_found` when it does not turn up.
 */
export async function findCall(source: SessionSource & { clock: Clock }, toolUseId: string): Promise<SessionState> {
  const { clock, sessionId, signal } = source
  const endsAt = clock.elapsed() + LISTED_WITHIN_MS
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    const isLast = clock.elapsed() >= endsAt
    const state = await readSessionState(source)
    if (state.calls.has(toolUseId)) return state
    if (isLast) break
    await clock.sleep(Math.min(pause, endsAt - clock.elapsed()), signal)
  }
  throw new HermError('not_found', `session ${sessionId} has no tool call ${toolUseId}`, {
    hint: `See its calls with \`herm-tools pending ${shellWord(sessionId)}\`. A final with a wrong id would still cost a turn.`,
  })
}

/** Assumed: history lists an accepted event within some seconds. */
const LISTED_WITHIN_MS = 5_000
const FIRST_PAUSE_MS = 250
