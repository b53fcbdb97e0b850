import type { ChalkInstance } from 'chalk'
import { answerTimeLeft, type CallState, type ToolCall } from '../protocol/tool-call.ts'
import { answerCommands, commandLines } from './answer-commands.ts'
import { durationText } from './duration-text.ts'
import { cutTo, wrapToRows } from './fit-text.ts'
import { localTime, stopwatch } from './local-time.ts'
import { type Look, spinner } from './look.ts'
import { sessionTag } from './session-tag.ts'
import { oneLine } from './visible-text.ts'

export interface Card {
  readonly call: ToolCall
  readonly sessionId: string
  /** The session again, where there are several. */
  readonly tag: string
  /** As inputText has it: the call itself forgets it when it is done. */
  readonly input: string
  /** What the latest result, or the denial, says, on one line. */
  readonly text: string
}

/**
 * A call as it is now. `moving`: time is told as it passes, since the card is drawn again and again. `still`: as it may
 * stand for good, which for an open call is what the watch leaves when it ends.
 */
export function cardLines(card: Card, look: Look, manner: 'moving' | 'still'): string[] {
  const { style, width } = look
  const { call, sessionId, tag, input, text } = card
  const sign = manner === 'moving' && call.state === 'running' ? spinner(look) : signs[call.state](style)
  const name = [style.dim(sessionTag(tag, width)), style.bold(oneLine(call.name) || 'a call'), style.dim(input)]
    .filter(Boolean)
    .join('  ')
  const state = stateText(call, look, manner) + (text === '' ? '' : `${style.dim(' ·')} ${text}`)
  const rows = isOpen(call.state) ? OPEN_ROWS : DONE_ROWS
  const isTold = manner === 'still' || call.state !== 'running'
  const commands = isTold ? answerCommands(call.state, { sessionId, toolUseId: call.toolUseId }) : []
  return [
    cutTo(`${sign} ${name}`, width),
    ...wrapToRows(state, { width: width - 2, rows }).map((line) => `  ${line}`),
    ...commands.flatMap((command) => commandLines(command, width)).map((line) => style.cyan(line)),
  ]
}

/** Whether somebody has still to do something about it. */
export function isOpen(state: CallState): boolean {
  return !['completed', 'failed', 'expired', 'withdrawn', 'denied'].includes(state)
}

const signs: Record<CallState, (style: ChalkInstance) => string> = {
  awaiting_approval: (style) => style.yellow('?'),
  approved: (style) => style.cyan('●'),
  waiting: (style) => style.yellow('?'),
  running: (style) => style.cyan('●'),
  completed: (style) => style.green('✓'),
  failed: (style) => style.red('✗'),
  expired: (style) => style.yellow('!'),
  withdrawn: (style) => style.yellow('!'),
  denied: (style) => style.red('✗'),
}

function stateText(call: ToolCall, look: Look, manner: 'moving' | 'still'): string {
  const { style, now } = look
  const since = Date.parse(call.result?.at ?? '')
  switch (call.state) {
    case 'awaiting_approval':
      return style.yellow('waits for approval')
    case 'approved':
      return style.dim('approved; the call follows')
    case 'waiting':
      return `${style.yellow('waits for an answer')}${dueText(call, look, manner)}`
    case 'running':
      if (Number.isNaN(since)) return style.dim('running')
      return style.dim(
        manner === 'moving' ? `running for ${stopwatch(now - since)}` : `running since ${localTime(since)}`,
      )
    case 'completed':
      return style.dim(`completed${tookText(call)}`)
    case 'failed':
      return style.red(`failed${tookText(call)}`)
    case 'expired':
      return style.yellow(
        call.turnSince === 'ended'
          ? 'over; the turn ended without an answer'
          : 'expired; the turn went on without an answer',
      )
    case 'withdrawn':
      return style.yellow(
        `never called; the turn ${call.turnSince === 'ended' ? 'ended' : 'went on'} without an approval`,
      )
    case 'denied':
      return style.red('denied')
  }
}

function dueText({ deadline }: ToolCall, { style, now }: Look, manner: 'moving' | 'still'): string {
  if (deadline === undefined) return ''
  if (manner === 'still') return style.dim(`, until ${localTime(deadline)}`)
  const left = answerTimeLeft(deadline, now)
  if (left < 0) return style.red(`, ${stopwatch(-left)} past its time`)
  const colour = left <= VERY_LITTLE_MS ? style.red : left <= LITTLE_MS ? style.yellow : style.dim
  return colour(`, ${stopwatch(left)} left`)
}

function tookText({ askedAt, result }: ToolCall): string {
  const seconds = Math.round((Date.parse(result?.at ?? '') - Date.parse(askedAt ?? '')) / 1000)
  return seconds > 0 ? ` after ${durationText(seconds * 1000)}` : ''
}

/** Of the five minutes that an answer has: time to hurry, and hardly time to type a command. */
const LITTLE_MS = 2 * 60_000
const VERY_LITTLE_MS = 30_000
/** An open card may stand beside many; a done one may say what came of it. */
const OPEN_ROWS = 1
const DONE_ROWS = 3
