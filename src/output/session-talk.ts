import type { ChalkInstance } from 'chalk'
import { agentMessage } from '../protocol/agent-message.ts'
import type { Envelope, RawEvent } from '../protocol/envelope.ts'
import { toolEvent } from '../protocol/tool-events.ts'
import { turnEvent } from '../protocol/turn-event.ts'
import type { FollowUpdate } from '../session/follow.ts'
import type { WatchedSession } from '../session/watch.ts'
import { type Card, cardLines } from './call-card.ts'
import { describeContent, textOf } from './describe-event.ts'
import { describeConnection, turnFailure } from './describe-session.ts'
import { cutTo, wrapTo } from './fit-text.ts'
import type { Look } from './look.ts'
import { type Message, messageLines } from './message-lines.ts'
import { openCalls } from './open-calls.ts'
import { sessionTag } from './session-tag.ts'
import { shortened } from './shortened.ts'
import { turnRule } from './turn-rule.ts'
import { oneLine } from './visible-text.ts'
import { voiceOf } from './voice.ts'

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

/** `tag` is the session again where there are several, and is empty otherwise. */
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
      case 'begun_anew':
      case 'reconnected': {
        const text = describeConnection(update, { isBelowEvents: true })
        if (text !== undefined && !isHiccup(update)) note(text)
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
    const voice = voiceOf(envelope.type)
    if (message?.isPart) parts.set(envelope.sequence ?? {}, message.text)
    else if (voice !== undefined) say({ from: voice, text: message?.text ?? textOf(envelope.payload) })
    else if (envelope.type.startsWith('session.status_')) addStatus(envelope)
    else aside((style) => describeContent({ envelope }, style))
  }

  function addStatus(envelope: Envelope): void {
    if (turnEvent(envelope)?.state !== 'idle') return
    turnIsOn = false
    const error = turnError(envelope)
    if (error === undefined) endSpeech()
    else say({ from: 'error', text: `the turn ended: ${error}` })
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
    scenes.push((look) => [cutTo(withTag(text(look.style), look), look.width)])
  }

  /** What is told of the connection is read to its end. */
  function note(text: string): void {
    scenes.push((look) => wrapTo(withTag(look.style.dim(text), look), look.width))
  }

  function withTag(text: string, { style, width }: Look): string {
    return tag === '' ? text : `${style.dim(sessionTag(tag, width))}  ${text}`
  }
}

/** Whether an event adds something to the view, now or as part of a call: neither parts of a message do, nor how the turn goes. */
export function isSpoken({ envelope }: RawEvent): boolean {
  if (agentMessage(envelope)?.isPart) return false
  return !envelope.type.startsWith('session.status_') || turnError(envelope) !== undefined
}

/** Why the turn failed that an event ends; undefined for any other. */
function turnError(envelope: Envelope): string | undefined {
  const turn = turnEvent(envelope)
  return turn?.state === 'idle' ? turnFailure(turn.stopReason) : undefined
}

/** Nothing came of it, and the status line has shown it while it lasted. */
function isHiccup(update: FollowUpdate): boolean {
  return update.kind === 'reconnected' && update.recovered === 0 && update.downMs < HICCUP_MS
}

function frameText({ name, data }: { name: string; data: string }): string {
  return oneLine(`${name} ${shortened(data, FRAME_CHARS)}`)
}

/** protocol: a final that is accepted while the session is idle starts a turn. */
function beginsTurn(envelope: Envelope): boolean {
  const tool = toolEvent(envelope)
  return tool?.kind === 'result' ? tool.status !== 'running' : turnEvent(envelope)?.state === 'running'
}

/** Connecting again takes about a second when the service is there. */
const HICCUP_MS = 2_000
/** More than fits a line. */
const FRAME_CHARS = 500
