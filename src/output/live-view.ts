import { linkedSignal } from '../linked-signal.ts'
import { createConversation } from './conversation.ts'
import type { Look } from './look.ts'
import { isSpoken } from './session-talk.ts'
import type { WatchView, WatchViewOptions } from './watch-view.ts'

/** The conversation on a terminal: what is over is printed, what is open is drawn below it as it changes. */
export async function openLiveView(options: WatchViewOptions): Promise<WatchView> {
  const { reporter, clock, serviceNow, signal, several } = options
  const conversation = createConversation({ several })
  const ended = linkedSignal(signal)
  const screen = await reporter.openScreen({
    onEnd() {
      ended.abort(new Error('the view has ended'))
      stopsNoMore()
      return conversation.last(look())
    },
  })
  // A shell writes where the view was; the next frame stands below that.
  const stopsNoMore = options.onStop(() => screen.paint({ printed: [], open: [] }))
  let paintedAt = clock.elapsed()
  void keepPainting()

  return {
    // The open calls stay on the screen, each with its commands.
    left: () => undefined,
    join: conversation.join,
    isShown: isSpoken,
    show(update, sessionId) {
      const scenes = conversation.add(update, sessionId)
      // Words may come by the hundred; the next frame shows them.
      if (scenes.length > 0 || clock.elapsed() - paintedAt >= FRAME_MS) paint(scenes)
    },
  }

  async function keepPainting(): Promise<void> {
    while (await slept()) paint([])
  }

  async function slept(): Promise<boolean> {
    return clock.sleep(FRAME_MS, ended.signal).then(
      () => true,
      () => false,
    )
  }

  function paint(scenes: ReturnType<typeof conversation.add>): void {
    const now = look()
    const printed = scenes.flatMap((scene) => scene(now))
    // One row is the cursor's; another one shows that there is more above.
    const open = screen.columns() > MIN_WIDTH ? conversation.open(now, screen.rows() - 2) : []
    screen.paint({ printed, open })
    paintedAt = clock.elapsed()
  }

  function look(): Look {
    return {
      style: screen.style,
      width: Math.max(MIN_WIDTH, Math.min(screen.columns() - 1, MAX_WIDTH)),
      now: serviceNow(),
      frame: Math.floor(clock.elapsed() / FRAME_MS),
    }
  }
}

/** Fast enough for a spinner that turns and words that flow, slow enough to cost nothing. */
const FRAME_MS = 120
/** Longer lines are hard to read. */
const MAX_WIDTH = 100
/** Below this nothing would be left of anything: what is over is printed all the same, and nothing is drawn. */
const MIN_WIDTH = 20
