import type { CallState, ToolCall } from '../protocol/tool-call.ts'
import { inputText } from './input-text.ts'
import { timeLeft } from './pending-record.ts'
import { shortened } from './shortened.ts'
import { timeAgo } from './time-ago.ts'

/** A call as one of several to choose from. */
export interface CallChoice {
  readonly value: string
  readonly label: string
  readonly hint: string | undefined
}

/** The most urgent call first: what runs out of time, the earliest before others. `now` is the service's time, ms since the epoch. */
export function callChoices(calls: readonly ToolCall[], now: number): CallChoice[] {
  const urgent = [...calls].sort(
    (a, b) => place(a.state) - place(b.state) || (a.deadline ?? LATEST) - (b.deadline ?? LATEST),
  )
  return urgent.map((call) => {
    const { toolUseId, name, state, input } = call
    const label = [name, toolUseId, state.replace('_', ' '), time(call, now)].filter(Boolean).join(' ')
    return { value: toolUseId, label, hint: shortened(inputText(input), INPUT_CHARS) || undefined }
  })
}

const byUrgency: readonly CallState[] = ['waiting', 'awaiting_approval', 'running', 'expired']

function place(state: CallState): number {
  return byUrgency.indexOf(state)
}

function time({ state, deadline, askedAt, result }: ToolCall, now: number): string | undefined {
  if (state === 'waiting' && deadline !== undefined) return timeLeft(deadline, now)
  const [since, word] = state === 'running' ? [result?.at, 'started'] : [askedAt, 'asked']
  const ago = timeAgo(since, now)
  return ago && `(${word} ${ago})`
}

const LATEST = Number.MAX_SAFE_INTEGER
/** As much of a call's input as tells it from others. */
const INPUT_CHARS = 60
