import { Chalk, supportsColor, supportsColorStderr } from 'chalk'
import type { Clock } from '../clock.ts'
import { isAnimated } from './animated.ts'
import type { LiveRegion } from './live-region.ts'
import type { Printable, Reporter, Screen } from './reporter.ts'
import { jsonForTerminal, oneLine, safeForTerminal, visible } from './visible-text.ts'
import { createWaitingLine } from './waiting-line.ts'

export interface ReporterOptions {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly json: boolean
  readonly quiet: boolean
  /** False with `--no-color`. */
  readonly color: boolean
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>
  /** Breaks what is said on each stream into lines. */
  readonly wrap: Readonly<Record<'stdout' | 'stderr', (text: string) => string>>
  /** Has the last look at lines for people, with `--github`; they stay as they are when left out. */
  readonly harmless?: ((lines: string) => string) | undefined
}

export function createReporter({
  stdout,
  stderr,
  env,
  json,
  quiet,
  color,
  clock,
  wrap,
  harmless = (lines) => lines,
}: ReporterOptions): Reporter {
  const isPlain = !color || Boolean(env.NO_COLOR)
  const styleOf = (support: typeof supportsColor) =>
    new Chalk({ level: isPlain || typeof support === 'boolean' ? 0 : support.level })
  const outStyle = styleOf(supportsColor)
  const errStyle = styleOf(supportsColorStderr)
  const waitingLine = createWaitingLine({ stderr, env, style: errStyle, elapsed: clock.elapsed })
  let region: LiveRegion | undefined
  let endRegion = () => {}
  let unwritten = ''
  let lastPause = clock.elapsed()

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
    async written(signal) {
      write()
      // A terminal takes all at once, and Ctrl-C is noticed only in a pause.
      if (stdout.isTTY && clock.elapsed() - lastPause >= LONGEST_WITHOUT_PAUSE_MS) {
        await clock.sleep(1, signal)
        lastPause = clock.elapsed()
      }
      await new Promise<void>((resolve, reject) => {
        if (stdout.writableLength === 0 && !stdout.errored) return resolve()
        if (signal.aborted) return reject(signal.reason)
        const stop = () => reject(signal.reason)
        signal.addEventListener('abort', stop, { once: true })
        stdout.write('', (error) => {
          // Then the stream tells of the error as well, and that ends the command.
          if (error) return
          signal.removeEventListener('abort', stop)
          resolve()
        })
      })
    },
    note(text) {
      if (!quiet) around(() => stderr.write(`${harmless(wrap.stderr(errStyle.dim(oneLine(text))))}\n`))
    },
    warn(text) {
      const line = wrap.stderr(`${errStyle.yellow('warning:')} ${oneLine(text)}`)
      around(() => stderr.write(`${harmless(line)}\n`))
    },
    waiting(text) {
      write()
      if (!quiet) waitingLine.show(harmless(oneLine(text)))
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

  function jsonLine(datum: Printable): string {
    const line = jsonText(datum)
    return stdout.isTTY ? jsonForTerminal(line) : line
  }

  function shownLine({ text, isSentence }: Printable): string | undefined {
    const line = text(outStyle, stdout.isTTY ? stdout.columns : undefined)
    return line && safe(isSentence ? wrap.stdout(line) : line)
  }

  function safe(line: string): string {
    return harmless(outStyle.level > 0 ? safeForTerminal(line) : visible(line))
  }
}

/** The datum as one line of JSON, whose characters are those of the record. */
export function jsonText({ json }: Printable): string {
  return typeof json === 'string' ? json : JSON.stringify(json)
}

/** For how long what is drawn may keep Ctrl-C waiting: a person takes less than this for at once. */
const LONGEST_WITHOUT_PAUSE_MS = 50
