import { CommanderError } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { buildProgram } from './commands/program.ts'
import { type Context, createContext, OutputClosed } from './context.ts'
import { HermError } from './errors.ts'

/** Runs the program with a real process. Sets its exit code and lets it end by itself, so that all output is drained. */
export async function main(proc: NodeJS.Process): Promise<void> {
  const context = createContext(proc, packageJson.version)
  try {
    await runCommand(context, proc.argv)
    await outputWritten(context)
  } catch (error) {
    const code = exitCodeOf(error)
    proc.exitCode = code
    const failure = failureOf(error)
    if (failure !== undefined) await report(failure, context, proc.argv.slice(2))
    if (context.signal.aborted) setTimeout(() => proc.exit(code), LAST_WORDS_MS).unref()
  }
}

/** Help and version come as errors that are none. */
async function runCommand(context: Context, argv: readonly string[]): Promise<void> {
  try {
    await buildProgram(context, argv.slice(2)).parseAsync(argv)
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error
  }
}

async function report(failure: HermError, context: Context, words: readonly string[]): Promise<void> {
  const [{ createRedactor }, { errorRecord, optionsIn, reportError }] = await Promise.all([
    import('./client/redact.ts'),
    import('./output/report-error.ts'),
  ])
  const redact = createRedactor(...context.secrets)
  const options = optionsIn(words)
  if (options.includes('--github')) {
    const { reportErrorToGithub } = await import('./output/github-error.ts')
    reportErrorToGithub(errorRecord(failure, redact), context)
  }
  await reportError(context.stderr, failure, { options, env: context.env, redact })
}

/**
 * Throws when something of what was printed could not be written: a full disk is told after the fact. Throws the signal's
 * reason too when it is aborted in this time: a reader that is stuck is not waited for then. A command that has ended well
 * on Ctrl-C before stays well.
 */
async function outputWritten({ stdout, signal }: Context): Promise<void> {
  const isRunning = !signal.aborted
  if (stdout.destroyed === false) {
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true })
      stdout.write('', resolve)
    })
  }
  // The error is told to its listener right after the callbacks.
  await new Promise((resolve) => setImmediate(resolve))
  if (isRunning) signal.throwIfAborted()
  if (signal.reason instanceof HermError && signal.reason.kind === 'failed') throw signal.reason
}

/** Time for what was printed to be read, once the user wants an end: a reader that is stuck must not hold it up. */
const LAST_WORDS_MS = 1_000

function exitCodeOf(error: unknown): number {
  if (error instanceof OutputClosed) return 0
  return toHermError(error).exitCode
}

/** What to tell the user; undefined when there is nothing, as after `| head`. */
function failureOf(error: unknown): HermError | undefined {
  return exitCodeOf(error) === 0 ? undefined : toHermError(error)
}

function toHermError(error: unknown): HermError {
  if (error instanceof HermError) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  return new HermError('failed', `unexpected: ${cause.stack ?? cause.message}`, {
    hint: 'This is a defect in herm-tools; please report it with this text.',
    cause,
  })
}
