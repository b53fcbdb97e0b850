import type { RawEvent } from '../protocol/envelope.ts'
import type { SessionState } from '../protocol/session-fold.ts'
import { isFinal } from '../protocol/tool-call.ts'
import { matchesType } from './event-filter.ts'

/** What ends a watch. The first is about an event that is shown; the others are about the session's state. */
export type Until =
  | { what: 'type'; glob: string }
  | { what: 'idle' }
  /** A call that waits for its answer, of this tool or of any. */
  | { what: 'call'; tool: string | undefined }
  /** The call has its final result. */
  | { what: 'result'; toolUseId: string }

export function isMetByEvent(until: Until | undefined, event: RawEvent): boolean {
  return until?.what === 'type' && matchesType(event, until.glob)
}

export function isMetByState(until: Until | undefined, state: () => SessionState): boolean {
  switch (until?.what) {
    case 'idle':
      return state().turn.state === 'idle'
    case 'call':
      return [...state().calls.values()].some(
        (call) => call.state === 'waiting' && (until.tool === undefined || call.name === until.tool),
      )
    case 'result':
      return (state().calls.get(until.toolUseId)?.results ?? []).some(isFinal)
    default:
      return false
  }
}
