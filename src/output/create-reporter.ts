import { Chalk, supportsColor, supportsColorStderr } from 'chalk'
import type { Clock } from '../clock.ts'
import { isAnimated } from './animated.ts'
import type { LiveRegion } from './live-region.ts'
import type { Printable, Reporter, Screen } from './reporter.ts'
import { oneLine, safeForTerminal, visible } from './visible-text.ts'
import { createWaitingLine } from './waiting-line.ts'

export interface ReporterOptions {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly json: boolean
  readonly quiet: boolean
  /** False with `--no-color`. */
  readonly color: boolean
  readonly clock: Pick<Clock, 'elapsed'>
  /** Breaks what is said on stderr into lines. */
  readonly wrap: (text: string) => string
}

export function createReporter({ stdout, stderr, env, json, quiet, color, clock, wrap }: ReporterOptions): Reporter {
  const isPlain = !color || Boolean(env.NO_COLOR)
  const styleOf = (support: typeof supportsColor) =>
    new Chalk({ level: isPlain || typeof support === 'boolean' ? 0 : support.level })
  const outStyle = styleOf(supportsColor)
  const errStyle = styleOf(supportsColorStderr)
  const waitingLine = createWaitingLine({ stderr, env, style: errStyle, elapsed: clock.elapsed })
  let region: LiveRegion | undefined
  let endRegion = () => {}
  let unwritten = ''

  return {
    isJson: json,
    // A terminal that does not tell its size has none to draw in.
    isAnimated: !json && isAnimated(stdout, env) && stdout.columns > 0 && stdout.rows > 0,
    print(datum) {
      const line = json ? jsonLine(datum) : shownLine(datum)
      if (line === undefined) return
      // What is printed in one go is written in one go: a write of its own for each line takes longer than to make it.
      if (unwritten === '') queueMicrotask(write)
      unwritten += `${line}\n`
    },
    written(signal) {
      write()
      return new Promise((resolve, reject) => {
        if (stdout.writableLength === 0) return resolve()
        const stop = () => reject(signal.reason)
        signal.addEventListener('abort', stop, { once: true })
        stdout.write('', () => {
          signal.removeEventListener('abort', stop)
          resolve()
        })
      })
    },
    note(text) {
      if (!quiet) around(() => stderr.write(`${wrap(errStyle.dim(oneLine(text)))}\n`))
    },
    warn(text) {
      around(() => stderr.write(`${wrap(`${errStyle.yellow('warning:')} ${oneLine(text)}`)}\n`))
    },
    waiting(text) {
      write()
      if (!quiet) waitingLine.show(oneLine(text))
    },
    openScreen,
    done() {
      write()
      endRegion()
      waitingLine.stop()
    },
  }

  async function openScreen({ onEnd }: Parameters<Reporter['openScreen']>[0]): Promise<Screen> {
    const { createLiveRegion } = await import('./live-region.ts')
    const opened = createLiveRegion(stdout)
    region = opened
    endRegion = () => {
      opened.paint({ printed: onEnd().map(safe), open: [] })
      opened.end()
      region = undefined
      endRegion = () => {}
    }
    return {
      style: outStyle,
      columns: () => stdout.columns,
      rows: () => stdout.rows,
      paint({ printed, open }) {
        write()
        opened.paint({ printed: printed.map(safe), open: open.map(safe) })
      },
    }
  }

  function write(): void {
    const text = unwritten
    unwritten = ''
    if (text !== '') aroundWhatMoves(() => stdout.write(text))
  }

  /** Writes something else, after what was printed before it, without tearing what moves. */
  function around(writeIt: () => void): void {
    write()
    aroundWhatMoves(writeIt)
  }

  function aroundWhatMoves(writeIt: () => void): void {
    if (region === undefined) waitingLine.around(writeIt)
    else region.around(() => waitingLine.around(writeIt))
  }

  function shownLine({ text }: Printable): string | undefined {
    const line = text(outStyle, stdout.isTTY ? stdout.columns : undefined)
    return line && safe(line)
  }

  function safe(line: string): string {
    return outStyle.level > 0 ? safeForTerminal(line) : visible(line)
  }
}

function jsonLine({ json }: Printable): string {
  return typeof json === 'string' ? json : JSON.stringify(json)
}
