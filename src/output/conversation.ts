import type { FollowUpdate } from '../session/follow.ts'
import type { WatchedSession } from '../session/watch.ts'
import { cardLines } from './call-card.ts'
import { fitRegion } from './fit-region.ts'
import type { Look } from './look.ts'
import { messageLines } from './message-lines.ts'
import { createSessionTalk, type Scene, type SessionTalk } from './session-talk.ts'
import { statusLines } from './status-line.ts'

/** What the sessions that are watched say and do, as lines of a screen. Draws nothing by itself, and knows no time. */
export interface Conversation {
  join(sessionId: string, session: WatchedSession): void
  /** Takes an update of a session that has joined; gives the lines to print, once and for all. */
  add(update: FollowUpdate, sessionId: string): Scene[]
  /** What stands beneath all that is printed, on `rows` lines at most: what is being said, open calls, how things are. */
  open(look: Look, rows: number): string[]
  /** What is left of that when the watch ends. */
  last(look: Look): string[]
}

export function createConversation({ several }: { several: boolean }): Conversation {
  const watched = new Map<string, { talk: SessionTalk; session: WatchedSession }>()
  const current = () => [...watched.values()].map(({ talk }) => talk).filter((talk) => talk.isCurrent())

  return {
    join(sessionId, session) {
      const tag = several ? sessionId : ''
      watched.set(sessionId, { session, talk: createSessionTalk({ sessionId, session, tag }) })
    },
    add: (update, sessionId) => watched.get(sessionId)?.talk.add(update) ?? [],
    open(look, rows) {
      const cards = current().flatMap((talk) => talk.cards())
      const region = {
        talk: speechLines(look, lastOf),
        cards: cards.map((card) => cardLines(card, look, 'moving')),
        status: statusLines(watched, look),
        more: (count: number) => look.style.dim(`… and ${count} more`),
      }
      return fitRegion(region, rows)
    },
    last: (look) => [
      ...speechLines(look, (text) => text),
      ...current().flatMap((talk) => talk.cards().flatMap((card) => cardLines(card, look, 'still'))),
    ],
  }

  function speechLines(look: Look, shown: (text: string) => string): string[] {
    return current().flatMap((talk) => {
      const speech = talk.speech()
      return speech === undefined ? [] : messageLines({ ...speech, text: shown(speech.text) }, look)
    })
  }
}

/** The end of a long speech, which is drawn again with every word. Where it begins moves seldom, since all lines move with it. */
function lastOf(text: string): string {
  return text.slice(Math.floor(Math.max(0, text.length - SCREEN_CHARS) / STEP_CHARS) * STEP_CHARS)
}

/** About a screen full. */
const SCREEN_CHARS = 3_000
const STEP_CHARS = 1_000
