import type { Envelope } from '../protocol/envelope.ts'
import { createRecentTexts } from '../protocol/recent-texts.ts'
import { resultDigest } from '../protocol/result-digest.ts'
import { createSessionFold } from '../protocol/session-fold.ts'
import type { ToolCall } from '../protocol/tool-call.ts'
import { type ToolEvent, toolEvent } from '../protocol/tool-events.ts'
import type { WatchedSession } from '../session/watch.ts'
import { type Card, isOpen } from './call-card.ts'
import { inputText } from './input-text.ts'
import { oneLine } from './visible-text.ts'

/** The calls of one session that are shown and not done. */
export interface OpenCalls {
  add(envelope: Envelope): void
  /** The past has been given: what it left open is shown too, and from now on calls are as the session has them. */
  catchUp(): void
  /** The oldest first. */
  cards(): Card[]
  /** Gives those that are done, and forgets them. */
  takeDone(): Card[]
}

export function openCalls(options: { sessionId: string; tag: string; session: WatchedSession }): OpenCalls {
  const { sessionId, tag, session } = options
  /** Of the past, as far as it is shown: the session itself is ahead of it. */
  let past: ReturnType<typeof createSessionFold> | undefined = createSessionFold()
  const shown = new Map<string, Pick<Card, 'input' | 'text'>>()
  const finalsTold = createRecentTexts()

  return {
    add(envelope) {
      past?.add(envelope)
      const tool = toolEvent(envelope)
      if (tool !== undefined) addToolEvent(tool)
    },
    catchUp() {
      past = undefined
      for (const call of session.calls()) if (isOpen(call.state)) open(call.toolUseId, call.input)
    },
    cards: () => [...shown.keys()].map(cardOf).sort((a, b) => compareText(a.call.askedAt, b.call.askedAt)),
    takeDone() {
      const done = [...shown.keys()].map(cardOf).filter(({ call }) => !isOpen(call.state))
      for (const { call } of done) shown.delete(call.toolUseId)
      return done
    },
  }

  function addToolEvent(tool: ToolEvent): void {
    const { toolUseId } = tool
    switch (tool.kind) {
      case 'asked':
      case 'approval_asked':
        open(toolUseId, tool.input)
        break
      case 'approval_answered':
        say(toolUseId, tool.reason ?? '')
        break
      case 'result':
        if (isNews(tool)) say(toolUseId, tool.text)
    }
  }

  /** A final is told by a patch, by its event, or by both. */
  function isNews({ toolUseId, status, text }: ToolEvent & { kind: 'result' }): boolean {
    return status === 'running' || finalsTold.add(`${toolUseId} ${resultDigest(status, text)}`)
  }

  function open(toolUseId: string, input: unknown): void {
    if (!shown.has(toolUseId)) shown.set(toolUseId, { input: inputText(input), text: '' })
  }

  /** Also of a call that is shown no more: it has got another result. */
  function say(toolUseId: string, text: string): void {
    const input = shown.get(toolUseId)?.input ?? inputText(session.call(toolUseId)?.input)
    shown.set(toolUseId, { input, text: oneLine(text.slice(0, MAX_CHARS)) })
  }

  function cardOf(toolUseId: string): Card {
    const { input = '', text = '' } = shown.get(toolUseId) ?? {}
    return { call: callOf(toolUseId), sessionId, tag, input, text }
  }

  /** The name may stand in an event that is not shown. */
  function callOf(toolUseId: string): ToolCall {
    const call = session.call(toolUseId) as ToolCall
    const then = past?.call(toolUseId)
    return then === undefined ? call : { ...then, name: call.name, askedAt: call.askedAt }
  }
}

function compareText(a = '', b = ''): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** More than a card has room for. */
const MAX_CHARS = 2_000
