import type { SessionState } from '../protocol/session-fold.ts'
import type { StopReason } from '../protocol/turn-event.ts'
import type { FollowUpdate } from '../session/follow.ts'
import { countText } from './count-text.ts'
import { oneLine } from './visible-text.ts'

/** Why a turn ended in an error; undefined for one that ended well. */
export function turnFailure({ type, message }: StopReason): string | undefined {
  return type === 'error' ? (message ?? 'no reason given') : undefined
}

/** A turn's state in a few words. */
export function describeTurn(turn: SessionState['turn']): string {
  switch (turn.state) {
    case 'unknown':
      return 'no turn yet'
    case 'running':
      return 'a turn is running'
    case 'blocked':
      return `the turn waits for ${turn.toolUseIds.map(oneLine).join(', ')}`
    case 'idle': {
      const failure = turnFailure(turn.stopReason)
      return failure === undefined ? 'idle' : `idle, the turn ended in an error: ${oneLine(failure)}`
    }
  }
}

/**
 * A line about the connection, or about a history that is another one behind it; undefined for updates that are not about it, and for a quiet stream that lost nothing.
 * `isBelowEvents`: what came meanwhile is printed above it.
 */
export function describeConnection(
  update: FollowUpdate,
  { isBelowEvents = false }: { isBelowEvents?: boolean } = {},
): string | undefined {
  if (update.kind === 'disconnected') {
    return `connection lost, trying again in ${(update.pauseMs / 1000).toFixed(1)} s: ${oneLine(update.reason)}`
  }
  if (update.kind === 'begun_anew') return `the history begins anew${isBelowEvents ? '; all of it follows' : ''}`
  if (update.kind !== 'reconnected' || (update.reason === 'quiet' && update.recovered === 0)) return undefined
  const away = `${(update.downMs / 1000).toFixed(1)} s`
  if (update.recovered === 0) return `connected again after ${away}; nothing was missed`
  return `connected again after ${away}; ${countText(update.recovered, 'event')}${isBelowEvents ? ' above' : ''} came meanwhile`
}
