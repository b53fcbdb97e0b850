import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { Terminal } from '@xterm/headless'
import { inject, onTestFinished } from 'vitest'
import { shellWord } from '../../src/protocol/shell-word.ts'

export interface Screen {
  /** What a person sees, and what has scrolled away: lines, with their ends trimmed. */
  text(): string
  /** Resolves once the screen shows it; rejects when the program ends without it. */
  shows(pattern: RegExp): Promise<void>
  /** Resolves once the screen shows it no more. */
  hides(pattern: RegExp): Promise<void>
  /** What a person types. */
  type(keys: string): void
  /** Gives the terminal another size while the program runs. */
  resize(columns: number, rows: number): Promise<void>
  /** Whether any character has a colour, or is bold or dim. */
  hasStyle(): boolean
  hasCursor(): boolean
  /** Resolves to the exit code, once all output is on the screen. */
  readonly ended: Promise<number | null>
}

export interface ScreenOptions {
  readonly env: Readonly<Record<string, string>>
  readonly columns: number
  readonly rows?: number
  /** What stands on the screen before the program starts. */
  readonly before?: readonly string[]
  /** Types the command into a shell, to which the program then gives the terminal back. */
  readonly inShell?: boolean
  /** A file for standard output; the screen when left out. */
  readonly stdout?: string
}

/** Starts the built program on a terminal of its own, by way of script(1), and reads the screen. */
export function startOnScreen(
  args: readonly string[],
  { env, columns, rows = 24, before = [], inShell = false, stdout }: ScreenOptions,
): Screen {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1_000 })
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  const words = [process.execPath, inject('program'), ...args].map(shellWord)
  const program = [...words, ...(stdout === undefined ? [] : [`>${shellWord(stdout)}`])].join(' ')
  // The terminal's name is said first, for whoever changes its size.
  const shown = before.map((line) => `echo ${shellWord(line)}; `).join('')
  const command = `stty cols ${columns} rows ${rows}; tty; ${shown}exec ${inShell ? 'bash --norc --noediting -i' : program}`
  const child = spawn('script', ['-q', '-e', '-f', '-c', command, '/dev/null'], {
    env: {
      PATH: process.env.PATH,
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      TZ: 'UTC',
      PS1: '$ ',
      HISTFILE: '',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => undefined)
  if (inShell) child.stdin.write(`${program}\n`)
  const modes = new Map<unknown, boolean>([[CURSOR, true]])
  const set = (isOn: boolean) => (params: readonly unknown[]) => {
    for (const mode of params) modes.set(mode, isOn)
    return false
  }
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, set(true))
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, set(false))
  let drawn = Promise.resolve()
  child.stdout.on('data', (chunk) => {
    drawn = new Promise((resolve) => terminal.write(chunk, resolve))
  })
  const ended = once(child, 'close').then(async ([code]) => {
    await drawn
    return code as number | null
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    text: () => lines().slice(1).join('\n').trimEnd(),
    shows: (pattern) => until(() => pattern.test(lines().join('\n')), String(pattern)),
    hides: (pattern) => until(() => !pattern.test(lines().join('\n')), `no ${pattern}`),
    type: (keys) => child.stdin.write(keys),
    async resize(width, height) {
      const [name = ''] = lines()
      terminal.resize(width, height)
      const flag = process.platform === 'darwin' ? '-f' : '-F'
      await once(spawn('stty', [flag, name.trim(), 'cols', String(width), 'rows', String(height)]), 'close')
    },
    hasStyle: () => cells().some((cell) => !cell.isAttributeDefault()),
    hasCursor: () => modes.get(CURSOR) === true,
    ended,
  }

  function lines(): string[] {
    const buffer = terminal.buffer.active
    return Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at)?.translateToString(true) ?? '')
  }

  function cells() {
    const buffer = terminal.buffer.active
    return Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at)).flatMap((line) =>
      Array.from({ length: line?.length ?? 0 }, (_, at) => line?.getCell(at) ?? []).flat(),
    )
  }

  async function until(isSo: () => boolean, what: string): Promise<void> {
    for (let hasEnded = false; ; ) {
      await drawn
      if (!modes.get(DRAWING) && isSo()) return
      if (hasEnded) throw new Error(`the program ended without showing ${what}:\n${lines().join('\n')}`)
      hasEnded = !Array.isArray(await Promise.race([once(child.stdout, 'data'), ended]))
    }
  }
}

/** The modes of a terminal that show the cursor, and that hold a picture back until all of it is drawn. */
const CURSOR = 25
const DRAWING = 2026

/** The same screen at another time: what passes of it, and the spinner, stand still. */
export function timeless(text: string): string {
  return text
    .replace(/\d\d:\d\d:\d\d/g, '00:00:00')
    .replace(/\d+:\d\d(?= left)|(?<=running for )\d+:\d\d/g, '0:00')
    .replace(/(?<=connected again after )[\d.]+/g, '0.0')
    .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '⠋')
}
