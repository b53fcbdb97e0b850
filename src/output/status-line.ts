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
  const states = [...watched.values()].map(({ talk, session }) =>
    talk.isCurrent() ? session.state().turn.state : 'connecting',
  )
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
  return [cutTo(`${sign} ${style.dim([...parts, 'Ctrl-C to leave'].join(' · '))}`, width)]
}

const words = {
  connecting: 'connecting',
  running: 'at work',
  blocked: 'waiting for an answer',
  idle: 'idle',
  unknown: 'nothing yet',
} as const

type State = keyof typeof words

function counted(states: readonly State[]): string[] {
  return (Object.keys(words) as State[]).flatMap((state) => {
    const count = states.filter((other) => other === state).length
    return count === 0 ? [] : `${count} ${words[state]}`
  })
}

/** The error of a request names the request before its cause. */
const LOST_ROWS = 6
