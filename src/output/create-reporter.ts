import { Chalk, supportsColor, supportsColorStderr } from 'chalk'
import type { Printable, Reporter } from './reporter.ts'
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
      const line = json ? jsonLine(datum) : datum.text(outStyle)
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
      if (!quiet) waitingLine.around(() => stderr.write(`${errStyle.dim(text)}\n`))
    },
    warn(text) {
      waitingLine.around(() => stderr.write(`${errStyle.yellow('warning:')} ${text}\n`))
    },
    waiting(text) {
      if (!quiet) waitingLine.show(text)
    },
    done: () => waitingLine.stop(),
  }
}

function jsonLine({ json }: Printable): string {
  return typeof json === 'string' ? json : JSON.stringify(json)
}
