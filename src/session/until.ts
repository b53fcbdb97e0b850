import type { RawEvent } from '../protocol/envelope.ts'
import type { SessionFold } from '../protocol/session-fold.ts'
import { isFinal, type ToolCall } from '../protocol/tool-call.ts'
import { toolEvent } from '../protocol/tool-events.ts'
import { typeMatcher } from './event-filter.ts'
import type { FollowUpdate } from './follow.ts'

/** What ends a watch. The first is about an event that is shown; the others are about the session's state. */
export type Until =
  | { what: 'type'; glob: string }
  | { what: 'idle' }
  /** A call that waits for its answer, of this tool or of any. */
  | { what: 'call'; tool: string | undefined }
  /** The call has its final result. */
  | { what: 'result'; toolUseId: string }

export interface Condition {
  isMetByEvent(event: RawEvent): boolean
  /** Asked after every update of a session whose history has been read, and once more when nothing happens. */
  isMetByState(update: FollowUpdate | undefined): boolean
}

/** `fold` has the session's state as of the update; `isIdle` knows more of idleness than events tell. */
export function createCondition(
  until: Until | undefined,
  { fold, isIdle }: { fold: SessionFold; isIdle: () => boolean },
): Condition {
  const never = () => false
  switch (until?.what) {
    case 'type': {
      const matches = typeMatcher([until.glob])
      return { isMetByEvent: ({ envelope }) => matches(envelope.type), isMetByState: never }
    }
    case 'idle':
      return { isMetByEvent: never, isMetByState: isIdle }
    case 'call':
      return {
        isMetByEvent: never,
        isMetByState: (update) => touched(update, fold).some((call) => isAsked(call, until.tool)),
      }
    case 'result':
      return { isMetByEvent: never, isMetByState: () => (fold.call(until.toolUseId)?.results ?? []).some(isFinal) }
    default:
      return { isMetByEvent: never, isMetByState: never }
  }
}

/** The calls that an update may have made wait: there may be very many others. */
function touched(update: FollowUpdate | undefined, fold: SessionFold): ToolCall[] {
  if (update === undefined || !('event' in update)) return [...fold.state().calls.values()]
  const toolUseId = toolEvent(update.event.envelope)?.toolUseId
  const call = toolUseId === undefined ? undefined : fold.call(toolUseId)
  return call === undefined ? [] : [call]
}

function isAsked(call: ToolCall, tool: string | undefined): boolean {
  return call.state === 'waiting' && (tool === undefined || call.name === tool)
}
