import { answerTimeLeft, type ToolCall } from '../protocol/tool-call.ts'
import type { RecordOf } from './record-types.ts'
import type { Printable } from './reporter.ts'
import { shortened } from './shortened.ts'
import { oneLine } from './visible-text.ts'

/** A call for which somebody has to do something, or, of one that expired, still can. */
export type OpenCall = ToolCall & { readonly state: RecordOf<'pending'>['state'] }

/** Nobody waits for an answer to a call that expired. */
export function isOwed(call: ToolCall): call is OpenCall {
  return call.state in stateColours && !isExpired(call)
}

export function isExpired(call: ToolCall): call is OpenCall {
  return call.state === 'expired'
}

/** One call that is owed something. `now` is the service's time in milliseconds since the epoch. */
export function pendingRecord(call: OpenCall, { sessionId, now }: { sessionId: string; now: number }): Printable {
  const deadline = call.state === 'waiting' ? call.deadline : undefined
  return {
    json: {
      type: 'herm_tools.pending',
      session_id: sessionId,
      tool_use_id: call.toolUseId,
      name: call.name,
      state: call.state,
      asked_at: call.askedAt ?? null,
      seconds_left: deadline === undefined ? null : secondsLeft(deadline, now),
      result_event_id: call.result?.eventId ?? null,
      input: call.input ?? null,
    },
    isSentence: true,
    text: (style) => {
      const state = style[stateColours[call.state]](call.state.replace('_', ' '))
      const left = deadline === undefined ? '' : ` ${style.dim(timeLeft(deadline, now))}`
      const input = style.dim(shortened(oneLine(JSON.stringify(call.input) ?? ''), INPUT_CHARS))
      return `${state}${left}  ${style.bold(oneLine(call.name))}  ${oneLine(call.toolUseId)}  ${input}`.trimEnd()
    },
  }
}

const stateColours = { awaiting_approval: 'magenta', waiting: 'yellow', running: 'blue', expired: 'gray' } as const

function secondsLeft(deadline: number, now: number): number {
  return Math.round(answerTimeLeft(deadline, now) / 1000)
}

/** The time that an answer has, such as `(3:00 left)`. Both in ms since the epoch. */
export function timeLeft(deadline: number, now: number): string {
  const seconds = secondsLeft(deadline, now)
  const [minutes, rest] = [Math.floor(Math.abs(seconds) / 60), Math.abs(seconds) % 60]
  const time = `${minutes}:${String(rest).padStart(2, '0')}`
  return seconds >= 0 ? `(${time} left)` : `(${time} past its time)`
}

const INPUT_CHARS = 120
