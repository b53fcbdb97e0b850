import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** No command waits longer than its own limits (20 s for idle, 30 s for an answer, 3 s to settle, several times). */
const STUCK_MS = 150_000

const running = new Set()

/** Kills what still runs. */
export function endPrograms() {
  for (const child of running) child.kill('SIGKILL')
}

/** Runs the program to its end, or to its `kill -9`. */
export async function runProgram({ program, command, emulator, stateDir, killAfterMs, folder }) {
  const child = spawn(process.execPath, [program, ...command], {
    env: { PATH: process.env.PATH, HOME: folder, HERM_BASE_URL: emulator.url, HERM_TOOLS_STATE_DIR: stateDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  let stuck = false
  const ended = once(child, 'close')
  const timers = [
    setTimeout(() => {
      stuck = true
      child.kill('SIGKILL')
    }, STUCK_MS),
  ]
  if (killAfterMs !== undefined) timers.push(setTimeout(() => child.kill('SIGKILL'), killAfterMs))
  const [code, signal] = await ended
  timers.forEach(clearTimeout)
  running.delete(child)
  return { code, killed: signal === 'SIGKILL' && !stuck, stuck, stderr }
}
