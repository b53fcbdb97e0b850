import stringWidth from 'fast-string-width'
import type { WatchedSession } from '../session/watch.ts'
import { cutTo, wrapToRows } from './fit-text.ts'
import { type Look, spinner } from './look.ts'
import { sessionTag } from './session-tag.ts'
import type { SessionTalk } from './session-talk.ts'
import { oneLine } from './visible-text.ts'

/** How things are: on one line what the sessions are doing, by session id; on a few why some of them are cut off. */
export function statusLines(
  watched: ReadonlyMap<string, { talk: SessionTalk; session: WatchedSession }>,
  look: Look,
): string[] {
  const { style, width } = look
  const states = [...watched.values()].map(({ talk, session }) => (talk.isCurrent() ? doing(session) : 'connecting'))
  const [lostBy, ...othersLost] = [...watched.values()].flatMap(({ talk }) => talk.lostBy() ?? [])
  if (lostBy !== undefined) {
    const whose = watched.size === 1 ? 'connection' : `${othersLost.length + 1} of ${watched.size} connections`
    return wrapToRows(style.yellow(`! ${whose} lost, trying again: ${oneLine(lostBy)}`), { width, rows: LOST_ROWS })
  }
  const [only] = watched.keys()
  const parts =
    watched.size === 1
      ? // Half of the line is for the id.
        [sessionTag(only ?? '', 2 * width), words[states[0] ?? 'unknown']]
      : [`${watched.size} sessions`, ...counted(states)]
  const sign = states.includes('running') ? spinner(look) : style.dim('·')
  return [`${sign} ${style.dim(withLeave(parts.join(SEPARATOR), width - 2))}`]
}

const words = {
  connecting: 'connecting',
  running: 'at work',
  answer: 'waiting for an answer',
  approval: 'waiting for approval',
  idle: 'idle',
  unknown: 'nothing yet',
} as const

type Doing = keyof typeof words

function doing(session: WatchedSession): Doing {
  const { turn } = session.state()
  if (turn.state !== 'blocked') return turn.state
  const isForApproval = turn.toolUseIds.every((id) => session.call(id)?.state === 'awaiting_approval')
  return isForApproval ? 'approval' : 'answer'
}

function counted(states: readonly Doing[]): string[] {
  return (Object.keys(words) as Doing[]).flatMap((state) => {
    const count = states.filter((other) => other === state).length
    return count === 0 ? [] : `${count} ${words[state]}`
  })
}

/** With how to leave where there is room to say so: part of it would help nobody. */
function withLeave(text: string, width: number): string {
  const whole = `${text}${SEPARATOR}Ctrl-C to leave`
  return stringWidth(whole) <= width ? whole : cutTo(text, width)
}

const SEPARATOR = ' · '
/** The error of a request names the request before its cause. */
const LOST_ROWS = 6
