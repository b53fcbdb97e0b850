import { homedir, userInfo } from 'node:os'
import type { SecureContext } from 'node:tls'
import type { HermClient } from './client/herm-client.ts'
import type { Clock } from './clock.ts'
import { HermError } from './errors.ts'
import type { ConfigStore } from './store/config.ts'
import type { Journal } from './store/journal.ts'
import type { Setting } from './store/setting-source.ts'
import { writeWhole } from './whole-writes.ts'

/** The outside world, as everything else is given it. What a command may not need is loaded when it is asked for. */
export interface Context {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** From 0 to below 1. */
  readonly random: () => number
  /** Aborted by Ctrl-C and SIGTERM with HermError `interrupted` and `terminated`, and by a closed stdout with `OutputClosed`. */
  readonly signal: AbortSignal
  /** Calls `before` each time when Ctrl-Z is about to stop the process; until what is given back is called. */
  onStop(before: () => void): () => void
  readonly version: string
  /** The version of Node.js, without its `v`, and the user; undefined on Windows. */
  readonly runtime: { readonly node: string; readonly userId: number | undefined }
  /** The API keys that this process was given: no error may show one. */
  readonly secrets: ReadonlySet<string>
  /** Where config, journal and compiled program are kept, or will be. */
  folders(): Promise<{ readonly config: string; readonly state: string; readonly cache: string }>
  config(options: { onWarning: (message: string) => void }): Promise<ConfigStore>
  journal(options: { onWarning: (message: string) => void }): Promise<Journal>
  /** Throws as readCaFile and createHttp do. */
  client(options: ClientOptions): Promise<HermClient>
}

export interface ClientOptions {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly allowInsecureHttp?: boolean | undefined
  readonly caFile: Setting<string> | undefined
  readonly onWarning: (message: string) => void
  readonly debug?: ((line: string) => void) | undefined
}

/** The reader of stdout went away, as `head` does: a quiet end, and no failure. */
export class OutputClosed extends Error {}

export function createContext(proc: NodeJS.Process, version: string): Context {
  const { env, platform } = proc
  const clock = systemClock()
  const stop = new AbortController()
  writeWhole(proc.stdout)
  listenForTheEnd(proc, stop)
  const secrets = new Set([env.PRISM_API_KEY?.trim() ?? ''])
  const surroundings = { env, platform, homedir: homeFolder(env) }
  return {
    // Node.js makes it when it is first asked for.
    get stdin() {
      return proc.stdin
    },
    stdout: proc.stdout,
    stderr: proc.stderr,
    env,
    clock,
    random: Math.random,
    signal: stop.signal,
    onStop: (before) => listenForStops(proc, before),
    version,
    runtime: { node: proc.versions.node, userId: proc.geteuid?.() },
    secrets,
    async folders() {
      const { cacheDir, configDir, stateDir } = await import('./store/directories.ts')
      return { config: configDir(surroundings), state: stateDir(surroundings), cache: cacheDir(surroundings) }
    },
    async config({ onWarning }) {
      const [{ configStore }, { configDir }, { processTable }] = await Promise.all([
        import('./store/config.ts'),
        import('./store/directories.ts'),
        import('./store/process-table.ts'),
      ])
      return configStore({ directory: configDir(surroundings), clock, processes: processTable(proc), onWarning })
    },
    async journal({ onWarning }) {
      const [{ fileJournal }, { stateDir }, { processTable }] = await Promise.all([
        import('./store/file-journal.ts'),
        import('./store/directories.ts'),
        import('./store/process-table.ts'),
      ])
      return fileJournal({ directory: stateDir(surroundings), clock, processes: processTable(proc), onWarning })
    },
    async client({ caFile, ...options }) {
      secrets.add(options.apiKey ?? '')
      const trust = caFile && (await trustOf(caFile, { env, signal: stop.signal }))
      const { createHermClient } = await import('./client/herm-client.ts')
      return createHermClient({ ...options, trust, env, clock, random: Math.random, version })
    },
  }
}

/** Loaded only where there is such a file: a connection without TLS needs none of it. */
async function trustOf(
  caFile: Setting<string>,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<SecureContext> {
  const [{ readCaFile }, { trustBesides }] = await Promise.all([
    import('./client/ca-file.ts'),
    import('./client/trust.ts'),
  ])
  return trustBesides(await readCaFile(caFile, signal), { extraFile: env.NODE_EXTRA_CA_CERTS })
}

/** An empty variable counts as not set, though to Node.js an empty HOME is one. A user whom nobody knows has no home. */
function homeFolder(env: NodeJS.ProcessEnv): string {
  try {
    return env.HOME === '' ? userInfo().homedir : homedir()
  } catch {
    return ''
  }
}

function systemClock(): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => Math.round(performance.now()),
    async sleep(ms, signal) {
      const { setTimeout: sleepOnce } = await import('node:timers/promises')
      const endsAt = performance.now() + ms
      try {
        for (let left = ms; left > 0; left = endsAt - performance.now()) {
          await sleepOnce(Math.min(left, LONGEST_TIMER_MS), undefined, signal ? { signal } : {})
        }
      } catch (error) {
        throw signal?.aborted ? signal.reason : error
      }
      signal?.throwIfAborted()
    },
  }
}

/** The first signal ends the program in good order; a second one at once. */
function listenForTheEnd(proc: NodeJS.Process, stop: AbortController): void {
  const on = (signal: NodeJS.Signals, kind: 'interrupted' | 'terminated') => {
    proc.on(signal, () => {
      const error = new HermError(kind, kind)
      if (stop.signal.aborted) proc.exit(error.exitCode)
      stop.abort(error)
    })
  }
  on('SIGINT', 'interrupted')
  on('SIGTERM', 'terminated')
  proc.stdout.on('error', (error: NodeJS.ErrnoException) => {
    stop.abort(error.code === 'EPIPE' ? new OutputClosed('stdout was closed') : outputFailed(error))
  })
  // Nobody reads the progress any more; that is no reason to stop a delivery.
  proc.stderr.on('error', () => undefined)
}

function listenForStops(proc: NodeJS.Process, before: () => void): () => void {
  const stop = () => {
    before()
    // Without a listener the signal does what it does to any program: nothing where no shell could let it go on.
    proc.off('SIGTSTP', stop)
    proc.kill(proc.pid, 'SIGTSTP')
    proc.on('SIGTSTP', stop)
    // Nobody has told this process of another size that the terminal was given meanwhile.
    proc.emit('SIGWINCH', 'SIGWINCH')
  }
  proc.on('SIGTSTP', stop)
  return () => void proc.off('SIGTSTP', stop)
}

/** What was printed is not complete, and whoever reads it must not believe that it is. */
function outputFailed(cause: NodeJS.ErrnoException): HermError {
  return new HermError(
    'failed',
    `standard output cannot be written: ${cause.message}; what the command did may be done`,
    {
      hint: 'What is there is not complete. Make room, or write it elsewhere, and look what was done before you repeat it.',
      cause,
    },
  )
}

/** setTimeout takes 32 bits and fires at once beyond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
