import { deadline } from '../clock.ts'
import { HermError, isEndByUser } from '../errors.ts'
import type { Place } from '../protocol/timeline.ts'
import type { Workspace } from './workspace.ts'

/** The journaled places of `--resume`: where to begin in each session, and a memory that is written at most once a second. */
export async function openPlaces({ journal, settings, context, reporter }: Workspace) {
  const store = await journal()
  const baseUrl = (await settings()).baseUrl.value
  /** Up to where updates were read, and up to where what was printed of them has left the process. */
  const read = new Map<string, Place>()
  const latest = new Map<string, Place>()
  let savedAt = Number.NEGATIVE_INFINITY
  const moveOn = () => {
    for (const [sessionId, place] of read) latest.set(sessionId, place)
    read.clear()
  }
  const save = async () => {
    savedAt = context.clock.elapsed()
    const places = [...latest]
    latest.clear()
    for (const [sessionId, place] of places) await store.writePlace({ baseUrl, sessionId }, place)
  }
  return {
    async written(): Promise<void> {
      moveOn()
      if (latest.size > 0 && context.clock.elapsed() - savedAt >= SAVE_PAUSE_MS) await save()
    },
    /** What was printed last is not printed again, unless it could not be written, or nobody reads it. */
    async end(): Promise<void> {
      const { aborted, reason } = context.signal
      if (!aborted || (reason instanceof HermError && isEndByUser(reason))) {
        const isStuck = () => new Error('the reader of stdout is stuck')
        const lastWords = deadline({ clock: context.clock, ms: LAST_WORDS_MS, reason: isStuck })
        await reporter.written(lastWords.signal).then(moveOn, () => undefined)
        lastWords.dispose()
      }
      await save()
    },
    async open(sessionId: string) {
      return {
        after: await store.readPlace({ baseUrl, sessionId }),
        moved: (place: Place) => void read.set(sessionId, place),
      }
    },
  }
}

/** A write is an fsync; what was printed since the last one is printed again after a kill, and nothing is left out. */
const SAVE_PAUSE_MS = 1_000
/** As long as the end of the program is held up for a reader that is slow. */
const LAST_WORDS_MS = 1_000
