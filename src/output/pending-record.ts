import type { ToolCall } from '../protocol/tool-call.ts'
import type { RecordOf } from './record-types.ts'
import type { Printable } from './reporter.ts'
import { oneLine } from './visible-text.ts'

/** A call for which somebody has to do something. */
export type OwedCall = ToolCall & { readonly state: RecordOf<'pending'>['state'] }

export function isOwed(call: ToolCall): call is OwedCall {
  return call.state in stateColours
}

/** One call that is owed something. `now` is the service's time in milliseconds since the epoch. */
export function pendingRecord(call: OwedCall, { sessionId, now }: { sessionId: string; now: number }): Printable {
  const secondsLeft = call.deadline === undefined ? undefined : Math.round((call.deadline - now) / 1000)
  const isTimed = call.state === 'waiting' && secondsLeft !== undefined
  return {
    json: {
      type: 'herm_tools.pending',
      session_id: sessionId,
      tool_use_id: call.toolUseId,
      name: call.name,
      state: call.state,
      asked_at: call.askedAt ?? null,
      seconds_left: isTimed ? secondsLeft : null,
      result_event_id: call.result?.eventId ?? null,
      input: call.input ?? null,
    },
    text: (style) => {
      const state = style[stateColours[call.state]](call.state.replace('_', ' '))
      const left = isTimed ? ` ${style.dim(describeLeft(secondsLeft))}` : ''
      const input = style.dim(oneLine(JSON.stringify(call.input) ?? '').slice(0, INPUT_CHARS))
      return `${state}${left}  ${style.bold(oneLine(call.name))}  ${oneLine(call.toolUseId)}  ${input}`.trimEnd()
    },
  }
}

const stateColours = { awaiting_approval: 'magenta', waiting: 'yellow', running: 'blue' } as const

function describeLeft(seconds: number): string {
  const [minutes, rest] = [Math.floor(Math.abs(seconds) / 60), Math.abs(seconds) % 60]
  const time = `${minutes}:${String(rest).padStart(2, '0')}`
  return seconds >= 0 ? `(${time} left)` : `(${time} past its time)`
}

const INPUT_CHARS = 120
