import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { runTool } from './run-tool.ts'
import type { ToolHome } from './tool-home.ts'

export type TerminalShell = 'bash' | 'zsh' | 'fish'

/** Whether a program is on the PATH. */
export function isFound(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

/** How each is started with the file `rc` and nothing else of the user's, and what is in that file before the completion script. */
const starts: Readonly<Record<TerminalShell, { command: string; rc: string }>> = {
  bash: { command: 'bash --noprofile --rcfile rc -i', rc: "PS1='READY> '" },
  // What zsh finds of its own completions is kept for the next one: the search takes longer than all else.
  zsh: { command: 'zsh -i', rc: `PS1='READY> '\nautoload -Uz compinit\ncompinit -C -d "$XDG_CACHE_HOME/zcompdump"` },
  fish: {
    command: "fish --no-config -i -C '. rc'",
    rc: "function fish_prompt; echo 'READY> '; end\nset -g fish_greeting",
  },
}

/**
 * Types keys into a real shell at a terminal, with the built program as \`herm-tools\` and its completion script loaded.
 * Resolves to the arguments with which the shell then ran \`herm-tools\`, and all that the terminal showed.
 */
export async function typeInShell(
  shell: TerminalShell,
  keys: string,
  { home, setUp = '' }: { home: ToolHome; setUp?: string },
): Promise<{ args: readonly string[]; screen: string }> {
  const at = (name: string) => join(home.folder, name)
  const { command, rc } = starts[shell]
  mkdirSync(at('bin'))
  writeFileSync(at('bin/herm-tools'), stub(at('args')), { mode: 0o755 })
  const script = await scriptFor(shell)
  for (const name of ['rc', '.zshrc']) writeFileSync(at(name), `${rc}\n${setUp}\n${script}`)
  const child = spawn('script', ['-q', '-c', command, '/dev/null'], {
    cwd: home.folder,
    env: {
      ...home.env,
      PATH: `${at('bin')}:${process.env.PATH}`,
      TERM: 'xterm',
      LANG: 'C.UTF-8',
      ZDOTDIR: home.folder,
      XDG_CONFIG_HOME: home.folder,
      XDG_DATA_HOME: home.folder,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    screen += text
  })
  const shows = async (text: string) => {
    while (!screen.includes(text)) {
      const next = await Promise.race([once(child.stdout, 'data'), ended])
      if (next.length > 1) throw new Error(`${shell} ended without showing ${text}: ${screen}`)
    }
  }
  await shows('READY> ')
  child.stdin.write(`${keys}\r`)
  await shows('STUB RAN')
  child.stdin.write('exit\r')
  await ended
  return { args: readFileSync(at('args'), 'utf8').split('\0').slice(0, -1), screen }
}

/** Asked for once. */
function scriptFor(shell: TerminalShell): Promise<string> {
  const script = scripts.get(shell) ?? runTool(['completion', shell]).then(({ stdout }) => stdout)
  scripts.set(shell, script)
  return script
}

const scripts = new Map<TerminalShell, Promise<string>>()

/** Answers completion as the program does, and otherwise writes down its arguments, each with a NUL behind it. */
function stub(path: string): string {
  return `#!/bin/sh
if [ "$1" = __complete ]; then exec '${process.execPath}' '${inject('program')}' "$@"; fi
printf '%s\\0' "$@" > '${path}'
echo 'STUB' 'RAN'
`
}
