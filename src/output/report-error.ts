import { Chalk, supportsColorStderr } from 'chalk'
import type { Redactor } from '../client/redact.ts'
import type { HermError } from '../errors.ts'
import { indented } from './visible-text.ts'

/** Says on stderr what failed and what to do next; as one line of JSON when the command line asks for JSON. */
export function reportError(
  stderr: NodeJS.WritableStream,
  error: HermError,
  {
    argv,
    env,
    redact,
  }: { argv: readonly string[]; env: Readonly<Record<string, string | undefined>>; redact: Redactor },
): void {
  const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
  if (options.includes('--json')) {
    stderr.write(
      `${JSON.stringify(errorRecord(error), (_name, value) => (typeof value === 'string' ? redact.text(value) : value))}\n`,
    )
    return
  }
  const isPlain = options.includes('--no-color') || env.NO_COLOR
  const style = new Chalk({ level: isPlain || !supportsColorStderr ? 0 : supportsColorStderr.level })
  const shown = (text: string) => indented(redact.text(text))
  const hint = error.hint === undefined ? '' : `${style.dim('hint:')} ${shown(error.hint)}\n`
  stderr.write(`${style.red('error:')} ${shown(error.message)}\n${hint}`)
}

/** `code` is the service's own where it gave one, else the kind of the error. */
function errorRecord(error: HermError): Readonly<Record<string, unknown>> {
  return {
    type: 'herm_tools.error',
    code: error.serviceCode ?? error.kind,
    message: error.message,
    hint: error.hint ?? null,
    exit_code: error.exitCode,
  }
}
