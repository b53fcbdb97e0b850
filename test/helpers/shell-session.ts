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
  zsh: { command: 'zsh -i', rc: "PS1='READY> '\nautoload -Uz compinit\ncompinit -u -D" },
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
  const script = (await runTool(['completion', shell])).stdout
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
  return { args: JSON.parse(readFileSync(at('args'), 'utf8')), screen }
}

/** Answers completion as the program does, and otherwise writes down its arguments. */
function stub(path: string): string {
  return `#!/bin/sh
if [ "$1" = __complete ]; then exec '${process.execPath}' '${inject('program')}' "$@"; fi
'${process.execPath}' -e 'fs.writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)))' '${path}' "$@"
echo 'STUB' 'RAN'
`
}
