import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Time for a process to end in good order before it is killed. */
const PATIENCE_MS = 3_000

/** The processes that were started, so that all of them end: at the latest when the signal is aborted. Then no new one starts. */
export function createChildren(signal) {
  const running = new Map()
  signal.addEventListener('abort', () => void end())

  return {
    /** A group of its own, so that a pipeline ends as a whole, and Ctrl-C is left to the benchmark. */
    start([command, ...args], options = {}) {
      signal.throwIfAborted()
      return kept(spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, detached: true }))
    },
    /** With a channel for messages. */
    fork(module, args) {
      signal.throwIfAborted()
      return kept(fork(module, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true }))
    },
    end,
  }

  async function end() {
    await Promise.all([...running.values()].map(endChild))
  }

  function kept(child) {
    // Without an id it did not start, and its `error` says why.
    if (child.pid === undefined) return child
    running.set(child.pid, child)
    child.once('close', () => running.delete(child.pid))
    return child
  }
}

/** Ends a process and what it started, by its id. */
export async function endChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  const patience = setTimeout(() => signalGroup(child, 'SIGKILL'), PATIENCE_MS)
  signalGroup(child, 'SIGTERM')
  await closed
  clearTimeout(patience)
}

function signalGroup({ pid }, name) {
  try {
    process.kill(-pid, name)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
