import type { HermClient } from '../client/herm-client.ts'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { once } from '../once.ts'
import type { Reporter } from '../output/reporter.ts'
import type { Journal } from '../store/journal.ts'
import type { SettingFlags, Settings } from '../store/settings.ts'
import { mayChoose } from './choose.ts'
import { makeReporter } from './make-reporter.ts'

/** The options that every command takes, as commander gives them. */
export interface GlobalOptions {
  readonly json?: boolean | undefined
  /** The names from a record down to the one value to print. */
  readonly field?: readonly string[] | undefined
  readonly github?: boolean | undefined
  readonly profile?: string | undefined
  readonly baseUrl?: string | undefined
  readonly allowInsecureHttp?: boolean | undefined
  readonly caFile?: string | undefined
  readonly debug?: boolean | undefined
  readonly quiet?: boolean | undefined
  /** False with `--no-color`. */
  readonly color?: boolean | undefined
}

/** What a command works with: where it prints, its settings, and, made when first asked for, client and journal. */
export interface Workspace {
  readonly context: Context
  readonly reporter: Reporter
  /** Whether colours are wanted where a terminal has them. */
  readonly hasColour: boolean
  /** Throws as loadSettings does. */
  settings(): Promise<Settings>
  /** Throws `auth` when there is no key to send. */
  client(): Promise<HermClient>
  journal(): Promise<Journal>
  /** The session that the user means. When nothing tells it, a person is asked; throws `usage` when there is none to ask. */
  session(): Promise<string>
}

/**
 * Runs one command: makes its workspace, and takes down what it left, whatever the end.
 * `options` are the global ones and those of the command that are settings too (`--session`, `--timeout`, …).
 */
export async function inWorkspace<T>(
  context: Context,
  options: GlobalOptions & SettingFlags,
  run: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const { reporter, checkField, writeFiles } = await makeReporter(context, options)
  const onWarning = (message: string) => reporter.warn(message)
  const settings = once(async () => {
    const { loadSettings } = await import('../store/settings.ts')
    return loadSettings({ store: await context.config({ onWarning }), flags: options, env: context.env })
  })
  const client = once(async () => {
    const { requireApiKey } = await import('../store/settings.ts')
    const known = await settings()
    return context.client({
      baseUrl: known.baseUrl.value,
      apiKey: requireApiKey(known),
      allowInsecureHttp: options.allowInsecureHttp,
      caFile: known.caFile,
      onWarning,
      debug: options.debug ? (line) => reporter.note(`debug: ${line}`) : undefined,
    })
  })
  const journal = once(() => context.journal({ onWarning }))
  const chosenSession = once(async () => (await import('./choose-session.ts')).chooseSession(workspace))
  const workspace: Workspace = {
    context,
    reporter,
    hasColour: options.color !== false && !context.env.NO_COLOR,
    settings,
    client,
    journal,
    async session() {
      const { session } = await settings()
      if (session !== undefined) return session.value
      if (mayChoose(context, options)) return chosenSession()
      throw new HermError('usage', 'no session was named', {
        hint: 'Name one with --session, HERM_SESSION, or `herm-tools config set session ID`; `herm-tools sessions list` shows them.',
      })
    },
  }
  let isDone = false
  try {
    const result = await run(workspace)
    checkField?.()
    isDone = true
    return result
  } finally {
    reporter.done()
    if (client.wasCalled())
      await client().then(
        (made) => made.close(),
        () => undefined,
      )
    writeFiles?.(isDone)
  }
}
