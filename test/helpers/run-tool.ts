import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { inject, onTestFinished } from 'vitest'
import { assertRecordShapes } from './record-check.ts'

export interface ToolRun {
  readonly child: ChildProcess
  /** What was printed so far. */
  stdout(): string
  stderr(): string
  /** Resolves when stdout, or stderr, matches; rejects when the program ends without it. */
  says(pattern: RegExp, stream?: 'stdout' | 'stderr'): Promise<void>
  /** Resolves when the program has ended and all output is read. `code` is null when a signal ended it. */
  readonly ended: Promise<ToolEnd>
}

export interface ToolEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** The lines of stdout, parsed as JSON. */
  records(): Record<string, unknown>[]
}

export interface ToolOptions {
  /** Added to an environment that has PATH, a HOME in which nothing can be read or written, and the cache of the test run. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdin?: string | Uint8Array
  /** Nothing more comes on stdin, and it does not end. */
  readonly keepStdinOpen?: boolean
  readonly cwd?: string
}

/**
 * Starts the built program as a real process, without a terminal; it is killed when the test ends. Whatever it prints as
 * JSON must be as the shapes of records say: `ended` rejects when it is not.
 */
export function startTool(args: readonly string[], options: ToolOptions = {}): ToolRun {
  const env = { PATH: process.env.PATH, HOME: '/dev/null', XDG_CACHE_HOME: inject('cacheHome'), ...options.env }
  const child = spawn(process.execPath, [inject('program'), ...args], {
    env: withoutUnset(env),
    cwd: options.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  child.stdin.on('error', () => undefined)
  if (!options.keepStdinOpen) child.stdin.end(options.stdin ?? '')
  const ended = once(child, 'close').then(([code, signal]) => {
    return toolEnd({ code, signal, stdout, stderr })
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async says(pattern, stream = 'stdout') {
      const text = () => (stream === 'stdout' ? stdout : stderr)
      while (!pattern.test(text())) {
        const next = await Promise.race([once(child[stream], 'data'), ended])
        if (!Array.isArray(next) && !pattern.test(text())) {
          throw new Error(`the program ended (${next.code}) without saying ${pattern}: ${stdout}\n${stderr}`)
        }
      }
    },
  }
}

/** An environment in which a variable that is undefined is not set. */
export function withoutUnset(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}

/** Throws when what was printed as JSON is not as the shapes of records say. */
export function toolEnd(end: Omit<ToolEnd, 'records'>): ToolEnd {
  for (const output of [end.stdout, end.stderr]) assertRecordShapes(output)
  const lines = end.stdout.split('\n').filter(Boolean)
  return { ...end, records: () => lines.map((line) => JSON.parse(line)) }
}

/** Runs the built program to its end. */
export function runTool(args: readonly string[], options?: ToolOptions): Promise<ToolEnd> {
  return startTool(args, options).ended
}
