import type { ChalkInstance } from 'chalk'
import type { Ora } from 'ora'
import { isAnimated } from './animated.ts'
import { durationText } from './duration-text.ts'

export interface WaitingLine {
  show(text: string): void
  /** Writes something else without tearing the animation. */
  around(write: () => void): void
  stop(): void
}

/** The line on stderr that says what is waited for: on a terminal a spinner, and for how long; elsewhere a line for each change. */
export function createWaitingLine(options: {
  stderr: NodeJS.WriteStream
  env: Readonly<Record<string, string | undefined>>
  style: ChalkInstance
  /** Milliseconds since some fixed moment. */
  elapsed: () => number
}): WaitingLine {
  const { stderr, env, style } = options
  return isAnimated(stderr, env) ? spinner(options) : plainLines((text) => stderr.write(`${style.dim(text)}\n`))
}

function plainLines(write: (text: string) => void): WaitingLine {
  let last: string | undefined
  return {
    show(text) {
      if (text !== last) write(text)
      last = text
    },
    around: (write) => write(),
    stop() {
      last = undefined
    },
  }
}

function spinner({ stderr, style, elapsed }: Parameters<typeof createWaitingLine>[0]): WaitingLine {
  let spinning: Ora | undefined
  let text: string | undefined
  let since = 0
  return {
    show(wanted) {
      const isFirst = text === undefined
      if (isFirst) since = elapsed()
      text = wanted
      if (spinning !== undefined) spinning.text = wanted
      else if (isFirst) void start()
    },
    around(write) {
      spinning?.clear()
      write()
      spinning?.render()
    },
    stop() {
      text = undefined
      spinning?.stop()
      spinning = undefined
    },
  }

  /** ora is loaded only when something is waited for, and the wait may be over by then. */
  async function start(): Promise<void> {
    const { default: ora } = await import('ora')
    if (text === undefined) return
    // isEnabled: ora would look at the process itself. discardStdin puts the terminal into raw mode, and Ctrl-C would no
    // longer be a signal.
    spinning ??= ora({ text, suffixText: waited, stream: stderr, isEnabled: true, discardStdin: false }).start()
  }

  function waited(): string {
    const seconds = Math.floor((elapsed() - since) / 1_000)
    return seconds === 0 ? '' : style.dim(`(${durationText(seconds * 1_000)})`)
  }
}
