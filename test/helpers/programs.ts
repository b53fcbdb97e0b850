import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

export interface RunningProgram {
  readonly child: ChildProcess
  /** Lines of stdout so far. */
  readonly lines: readonly string[]
  /** Resolves once this line was printed; rejects when the program ends without it. */
  printed(line: string): Promise<void>
  /** Resolves to the exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>
}

/**
 * Small programs of test/fixtures, bundled once for a test file (Node 20 runs no TypeScript) and run as real processes,
 * which are killed when their test ends. To be called at the top of the file.
 */
export function programs(folder: string, names: readonly string[]) {
  let built: string
  beforeAll(async () => {
    built = await mkdtemp(join(tmpdir(), 'herm-tools-programs-'))
    const sources = new URL(`../fixtures/${folder}/`, import.meta.url)
    const input = Object.fromEntries(names.map((name) => [name, fileURLToPath(new URL(`${name}.ts`, sources))]))
    const bundle = await rolldown({ input, platform: 'node' })
    await bundle.write({ dir: built, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
    await bundle.close()
  })
  afterAll(() => rm(built, { recursive: true, force: true }))

  return {
    run(name: string, ...args: string[]): RunningProgram {
      const child = spawn(process.execPath, [join(built, `${name}.mjs`), ...args], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const ended = once(child, 'close').then(([code]) => code as number | null)
      onTestFinished(async () => {
        child.kill('SIGKILL')
        await ended
      })
      const lines: string[] = []
      const reader = createInterface({ input: child.stdout })
      reader.on('line', (line) => lines.push(line))
      return {
        child,
        lines,
        ended,
        async printed(line) {
          while (!lines.includes(line)) {
            const next = await Promise.race([once(reader, 'line'), ended])
            if (!Array.isArray(next) && !lines.includes(line)) throw new Error(`${name} ended without printing ${line}`)
          }
        },
      }
    },
  }
}
