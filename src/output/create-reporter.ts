import { Chalk, supportsColor, supportsColorStderr } from 'chalk'
import type { Printable, Reporter } from './reporter.ts'
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
}

export function createReporter({ stdout, stderr, env, json, quiet, color }: ReporterOptions): Reporter {
  const isPlain = !color || Boolean(env.NO_COLOR)
  const styleOf = (support: typeof supportsColor) =>
    new Chalk({ level: isPlain || typeof support === 'boolean' ? 0 : support.level })
  const outStyle = styleOf(supportsColor)
  const errStyle = styleOf(supportsColorStderr)
  const waitingLine = createWaitingLine({ stderr, env, style: errStyle })

  return {
    isJson: json,
    print(datum) {
      const line = json ? jsonLine(datum) : shownLine(datum)
      if (line !== undefined) waitingLine.around(() => stdout.write(`${line}\n`))
    },
    written: (signal) =>
      new Promise((resolve, reject) => {
        if (stdout.writableLength === 0) return resolve()
        const stop = () => reject(signal.reason)
        signal.addEventListener('abort', stop, { once: true })
        stdout.write('', () => {
          signal.removeEventListener('abort', stop)
          resolve()
        })
      }),
    note(text) {
      if (!quiet) waitingLine.around(() => stderr.write(`${errStyle.dim(oneLine(text))}\n`))
    },
    warn(text) {
      waitingLine.around(() => stderr.write(`${errStyle.yellow('warning:')} ${oneLine(text)}\n`))
    },
    waiting(text) {
      if (!quiet) waitingLine.show(oneLine(text))
    },
    done: () => waitingLine.stop(),
  }

  function shownLine({ text }: Printable): string | undefined {
    const line = text(outStyle)
    return line && (outStyle.level > 0 ? safeForTerminal(line) : visible(line))
  }
}

function jsonLine({ json }: Printable): string {
  return typeof json === 'string' ? json : JSON.stringify(json)
}
