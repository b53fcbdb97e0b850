import type { ChalkInstance } from 'chalk'
import type { Ora } from 'ora'

export interface WaitingLine {
  show(text: string): void
  /** Writes something else without tearing the animation. */
  around(write: () => void): void
  stop(): void
}

/** The line on stderr that says what is waited for: a spinner on a terminal, elsewhere a plain line for each change. */
export function createWaitingLine(options: {
  stderr: NodeJS.WriteStream
  env: Readonly<Record<string, string | undefined>>
  style: ChalkInstance
}): WaitingLine {
  const { stderr, env, style } = options
  const isAnimated = stderr.isTTY === true && !env.CI && env.TERM !== 'dumb'
  return isAnimated ? spinner(stderr) : plainLines((text) => stderr.write(`${style.dim(text)}\n`))
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

function spinner(stream: NodeJS.WriteStream): WaitingLine {
  let spinning: Ora | undefined
  let text: string | undefined
  return {
    show(wanted) {
      const isFirst = text === undefined
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
    spinning ??= ora({ text, stream, isEnabled: true, discardStdin: false }).start()
  }
}
