import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessIdentity {
  readonly pid: number
  /** When the process started, in the system's own unit; tells a process from a later one with the same pid. */
  readonly startTime?: string | undefined
}

/** The processes of this machine, as far as a lock needs to know them. */
export interface ProcessTable {
  readonly self: ProcessIdentity
  /** Names the set of processes in which a pid means something: host, boot and pid namespace. */
  readonly host: string
  /** Whose process this is; undefined on Windows. */
  readonly userId: number | undefined
  /** False only when the process is certainly gone. A stopped process is alive; a zombie is not. */
  isAlive(process: ProcessIdentity): boolean
}

/** Reads /proc on Linux; elsewhere a pid is all there is, and a recycled one counts as alive. */
export function processTable(proc: Pick<NodeJS.Process, 'pid' | 'kill' | 'platform' | 'geteuid'>): ProcessTable {
  const stat = (pid: number) => (proc.platform === 'linux' ? readStat(pid) : undefined)

  return {
    self: { pid: proc.pid, startTime: stat(proc.pid)?.startTime },
    userId: proc.geteuid?.(),
    host: [hostname(), bootId(), pidNamespace()].join(' '),
    isAlive({ pid, startTime }) {
      if (!exists(proc, pid)) return false
      const found = stat(pid)
      // /proc may be hidden from other users: then the pid alone decides.
      if (found === undefined) return true
      if (found.state === 'Z' || found.state === 'X') return false
      return startTime === undefined || startTime === found.startTime
    },
  }
}

function exists(proc: Pick<NodeJS.Process, 'kill'>, pid: number): boolean {
  try {
    return proc.kill(pid, 0)
  } catch (error) {
    // EPERM: it is there and belongs to someone else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** proc_pid_stat(5): field 3 is the state, field 22 the start time; field 2, the name, may hold spaces and parentheses. */
function readStat(pid: number): { state: string; startTime: string } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, startTime] = [fields?.[0], fields?.[19]]
  return state === undefined || startTime === undefined ? undefined : { state, startTime }
}

function bootId(): string {
  return attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '-'
}

function pidNamespace(): string {
  return attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '-'
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
