import type { ChalkInstance } from 'chalk'
import { deltaText } from '../protocol/agent-message.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import { joinedText } from '../protocol/text-blocks.ts'
import { type ToolEvent, toolEvent } from '../protocol/tool-events.ts'
import { turnEvent } from '../protocol/turn-event.ts'
import { describeTurn } from './describe-session.ts'
import { localTime } from './local-time.ts'
import { shortened } from './shortened.ts'
import { oneLine } from './visible-text.ts'
import { voiceOf, voices } from './voice.ts'

/** One line for a person: local time, sequence, and what happened. */
export function describeEvent({ envelope }: RawEvent, style: ChalkInstance): string {
  const time = localTime(envelope.createdAt)
  const number = envelope.sequence === undefined ? '' : `#${envelope.sequence}`
  return `${style.dim(`${time} ${number.padStart(5)}`)}  ${describeContent({ envelope }, style)}`.trimEnd()
}

/** The same without time and sequence. */
export function describeContent({ envelope }: Pick<RawEvent, 'envelope'>, style: ChalkInstance): string {
  const { type, payload } = envelope
  const tool = toolEvent(envelope)
  if (tool !== undefined) return describeTool(tool, type === 'session.tool_updated', style)
  if (type.startsWith('session.status_')) {
    const turn = turnEvent(envelope)
    return style.dim(turn === undefined ? oneLine(type) : `session: ${describeTurn(turn)}`)
  }
  const text = shorten(textOf(payload))
  const voice = voiceOf(type)
  if (voice !== undefined) return `${style[voices[voice]](voice)}  ${text}`
  return `${oneLine(type)}  ${style.dim(text || shorten(JSON.stringify(payload)))}`
}

function describeTool(tool: ToolEvent, isPatch: boolean, style: ChalkInstance): string {
  const id = oneLine(tool.toolUseId)
  switch (tool.kind) {
    case 'asked':
      return `${style.yellow('call')}  ${style.bold(oneLine(tool.name))} ${id} ${style.dim(shorten(JSON.stringify(tool.input) ?? ''))}`
    case 'approval_asked':
      return `${style.yellow('approval asked')}  ${style.bold(oneLine(tool.name))} ${id} ${style.dim(shorten(JSON.stringify(tool.input) ?? ''))}`
    case 'approval_answered':
      return `${tool.allowed ? style.green('approved') : style.red('denied')}  ${id}  ${shorten(tool.reason ?? '')}`.trimEnd()
    case 'result': {
      const colour = { running: style.blue, completed: style.green, failed: style.red }[tool.status]
      return `${colour(tool.status)}  ${id}${isPatch ? style.dim(' (updated)') : ''}  ${shorten(tool.text)}`
    }
  }
}

/** The text of a payload, wherever it has one. */
export function textOf(payload: Readonly<Record<string, unknown>>): string {
  const { content, message, delta } = payload
  return joinedText(content) || (typeof message === 'string' ? message : '') || deltaText(delta)
}

function shorten(text: string): string {
  return shortened(oneLine(text), TEXT_CHARS)
}

/** A line of a log is for an overview; `--json` has everything. */
const TEXT_CHARS = 400
