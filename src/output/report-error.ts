import { Chalk, supportsColorStderr } from 'chalk'
import type { Redactor } from '../client/redact.ts'
import { type HermError, isEndByUser } from '../errors.ts'
import { harmlessInLog, harmlessJsonInLog } from './github-log.ts'
import type { RecordOf } from './record-types.ts'
import { indented, jsonForTerminal } from './visible-text.ts'
import { wordWrap } from './word-wrap.ts'

/**
 * Says on stderr what failed and what to do next; as one line of JSON when the command line asks for JSON, and with
 * `--github` so that none of it is a workflow command.
 */
export async function reportError(
  stderr: NodeJS.WriteStream,
  error: HermError,
  {
    options,
    env,
    redact,
  }: { options: readonly string[]; env: Readonly<Record<string, string | undefined>>; redact: Redactor },
): Promise<void> {
  const isInLog = options.includes('--github')
  if (options.includes('--json')) {
    const json = JSON.stringify(errorRecord(error, redact))
    const shown = stderr.isTTY ? jsonForTerminal(json) : json
    stderr.write(`${isInLog ? harmlessJsonInLog(shown) : shown}\n`)
    return
  }
  const isPlain = options.includes('--no-color') || env.NO_COLOR
  const style = new Chalk({ level: isPlain || !supportsColorStderr ? 0 : supportsColorStderr.level })
  const shown = (text: string) => indented(redact.text(text))
  const wrap = await wordWrap(stderr)
  const message = wrap(`${isEndByUser(error) ? '' : `${style.red('error:')} `}${shown(error.message)}`)
  const hint = error.hint === undefined ? '' : `${wrap(`${style.dim('hint:')} ${shown(error.hint)}`)}\n`
  const lines = `${message}\n${hint}`
  stderr.write(isInLog ? harmlessInLog(lines) : lines)
}

/** The words of a command line that can be options. What it was cannot be asked of a parser that refused it. */
export function optionsIn(argv: readonly string[]): readonly string[] {
  return argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
}

/** `code` is the service's own where it gave one, else the kind of the error. */
export function errorRecord(error: HermError, redact: Redactor): RecordOf<'error'> {
  return {
    type: 'herm_tools.error',
    code: redact.text(error.serviceCode ?? error.kind),
    message: redact.text(error.message),
    hint: error.hint === undefined ? null : redact.text(error.hint),
    exit_code: error.exitCode,
  }
}
