import type { ChalkInstance } from 'chalk'
import { agentMessage } from '../protocol/agent-message.ts'
import type { Envelope, RawEvent } from '../protocol/envelope.ts'
import { toolEvent } from '../protocol/tool-events.ts'
import { turnEvent } from '../protocol/turn-event.ts'
import type { FollowUpdate } from '../session/follow.ts'
import type { WatchedSession } from '../session/watch.ts'
import { type Card, cardLines } from './call-card.ts'
import { describeContent, textOf } from './describe-event.ts'
import { describeConnection } from './describe-session.ts'
import { cutTo } from './fit-text.ts'
import type { Look } from './look.ts'
import { type Message, messageLines } from './message-lines.ts'
import { openCalls } from './open-calls.ts'
import { turnRule } from './turn-rule.ts'
import { oneLine } from './visible-text.ts'

/** Something that has happened, as lines that may scroll away. */
export type Scene = (look: Look) => string[]

/** One session of the view: what has happened in it, and what is still open. */
export interface SessionTalk {
  /** Takes an update; gives what is over with it. */
  add(update: FollowUpdate): Scene[]
  /** What the agent is in the middle of saying. */
  speech(): Message | undefined
  /** The calls that are not done, the oldest first. */
  cards(): Card[]
  /** False until the past has been given. */
  isCurrent(): boolean
  /** Why there is no connection just now. */
  lostBy(): string | undefined
}

/** `tag` stands for the session where there are several, and is empty otherwise. */
export function createSessionTalk(options: { sessionId: string; tag: string; session: WatchedSession }): SessionTalk {
  const { tag } = options
  const calls = openCalls(options)
  /** By sequence: the parts of the message that is being said, each in its latest version. */
  const parts = new Map<unknown, string>()
  let isCurrent = false
  let turnIsOn = false
  let lostBy: string | undefined
  let scenes: Scene[] = []

  return {
    add(update) {
      scenes = []
      if ('event' in update) addEvent(update.event)
      else addNotice(update)
      for (const card of calls.takeDone()) scenes.push((look) => cardLines(card, look, 'still'))
      return scenes
    },
    speech: begunMessage,
    cards: calls.cards,
    isCurrent: () => isCurrent,
    lostBy: () => lostBy,
  }

  function addNotice(update: Exclude<FollowUpdate, { event: RawEvent }>): void {
    switch (update.kind) {
      case 'disconnected':
        lostBy = update.reason
        break
      case 'caught_up':
        lostBy = undefined
        isCurrent = true
        calls.catchUp()
        break
      case 'other':
        aside((style) => style.dim(`a frame that is no event: ${frameText(update)}`))
        break
      case 'reconnected': {
        const text = describeConnection(update)
        if (text !== undefined) aside((style) => style.dim(text))
      }
    }
  }

  function addEvent({ envelope }: RawEvent): void {
    if (!turnIsOn && beginsTurn(envelope)) beginTurn(envelope)
    calls.add(envelope)
    if (toolEvent(envelope) === undefined) addText(envelope)
  }

  function addText(envelope: Envelope): void {
    const message = agentMessage(envelope)
    const text = textOf(envelope.payload)
    if (message?.isPart) parts.set(envelope.sequence ?? {}, message.text)
    else if (message !== undefined) say({ from: 'agent', text: message.text })
    else if (envelope.type === 'user.message') say({ from: 'user', text })
    else if (envelope.type === 'user.steer') say({ from: 'steer', text })
    else if (envelope.type === 'session.error') say({ from: 'error', text })
    else if (envelope.type.startsWith('session.status_')) addStatus(envelope)
    else aside((style) => describeContent({ envelope }, style))
  }

  function addStatus(envelope: Envelope): void {
    const turn = turnEvent(envelope)
    if (turn?.state !== 'idle') return
    turnIsOn = false
    const { type, message } = turn.stopReason
    if (type === 'error') say({ from: 'error', text: `the turn ended: ${message ?? 'no reason given'}` })
    else endSpeech()
  }

  function beginTurn({ processedAt, createdAt }: Envelope): void {
    turnIsOn = true
    scenes.push((look) => turnRule({ at: processedAt ?? createdAt, tag }, look))
  }

  /** A message that is whole takes the place of its parts. */
  function say(message: Omit<Message, 'tag'>): void {
    if (message.from === 'agent') parts.clear()
    else endSpeech()
    scenes.push((look) => messageLines({ ...message, tag }, look))
  }

  /** The rest of a message that was begun does not come. */
  function endSpeech(): void {
    const begun = begunMessage()
    parts.clear()
    if (begun !== undefined) scenes.push((look) => messageLines(begun, look))
  }

  function begunMessage(): Message | undefined {
    return parts.size === 0 ? undefined : { from: 'agent', text: [...parts.values()].join(''), tag }
  }

  /** What is no part of the conversation takes one line. */
  function aside(text: (style: ChalkInstance) => string): void {
    scenes.push(({ style, width }) => [cutTo([style.dim(tag), text(style)].filter(Boolean).join('  '), width)])
  }
}

function frameText({ name, data }: { name: string; data: string }): string {
  return oneLine(`${name} ${data.slice(0, FRAME_CHARS)}`)
}

/** protocol: a final that is accepted while the session is idle starts a turn. */
function beginsTurn(envelope: Envelope): boolean {
  const tool = toolEvent(envelope)
  return tool?.kind === 'result' ? tool.status !== 'running' : turnEvent(envelope)?.state === 'running'
}

/** More than fits a line. */
const FRAME_CHARS = 500
