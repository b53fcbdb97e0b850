import type { Clock } from '../clock.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import type { FollowUpdate } from '../session/follow.ts'
import type { WatchedSession } from '../session/watch.ts'
import { answerCommands } from './answer-commands.ts'
import { isLine, reportUpdate } from './describe-update.ts'
import type { Reporter } from './reporter.ts'
import { oneLine } from './visible-text.ts'

/** What `watch` shows: the conversation as it happens on a terminal, elsewhere a line or a record for each event. */
export interface WatchView {
  /** Whether a person, or whoever reads the records, sees anything of an event: the others do not count in `--last`. */
  isShown(event: RawEvent): boolean
  /** A session is watched from now on. */
  join(sessionId: string, session: WatchedSession): void
  show(update: FollowUpdate, sessionId: string): void
  /** The user leaves: says which calls are still open, and how to answer them, where that is not on the screen. */
  left(): void
}

export interface WatchViewOptions {
  readonly reporter: Reporter
  readonly clock: Clock
  /** The service's time, in milliseconds since the epoch. */
  readonly serviceNow: () => number
  readonly signal: AbortSignal
  /** As the context has it. */
  readonly onStop: (before: () => void) => () => void
  /** Several sessions are watched, so that each line says whose it is. */
  readonly several: boolean
}

/** Ends with the reporter. */
export async function openWatchView(options: WatchViewOptions): Promise<WatchView> {
  const { reporter, several } = options
  if (reporter.isAnimated) {
    const { openLiveView } = await import('./live-view.ts')
    return openLiveView(options)
  }
  const sessions = new Map<string, WatchedSession>()
  /** Of the ids so far, so that what stands behind them is aligned. */
  let tagChars = 0
  return {
    isShown: (event) => reporter.isJson || isLine(event),
    join(sessionId, session) {
      sessions.set(sessionId, session)
      tagChars = several ? Math.max(tagChars, sessionId.length) : 0
    },
    show(update, sessionId) {
      const tag = several ? oneLine(sessionId).padEnd(tagChars) : ''
      reportUpdate(reporter, { update, sessionId, tag })
    },
    left: () => noteOpenCalls(reporter, sessions),
  }
}

function noteOpenCalls(reporter: Reporter, sessions: ReadonlyMap<string, WatchedSession>): void {
  const lines = [...sessions].flatMap(([sessionId, session]) =>
    session.calls().flatMap(({ toolUseId, name, state }) => {
      const [command] = answerCommands(state, { sessionId, toolUseId })
      return command === undefined ? [] : [`${state.replace('_', ' ')}: ${name || 'a call'}. ${command.join(' ')}`]
    }),
  )
  for (const line of lines.slice(0, MAX_NOTED)) reporter.note(`still ${line}`)
  if (lines.length > MAX_NOTED) reporter.note(`and ${lines.length - MAX_NOTED} more; herm-tools pending shows them`)
}

const MAX_NOTED = 10
