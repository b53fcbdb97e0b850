import { readFileSync } from 'node:fs'

/** Of the times in /proc: the same on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100

/** CPU time of all processes that this one started and that have ended, with theirs; undefined where Linux is not. */
export function reapedCpuMs() {
  if (process.platform !== 'linux') return undefined
  const [children, theirs] = statFields('self').slice(13, 15)
  return ticksMs(children, theirs)
}

/** CPU time and memory of a process that runs. Linux only. */
export function costNow({ pid }) {
  const [user, system] = statFields(pid).slice(11, 13)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return { cpuMs: ticksMs(user, system), residentBytes: Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) * 1024 }
}

/** From the third on: the second is a name, which may hold anything. */
function statFields(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function ticksMs(...ticks) {
  return (ticks.reduce((sum, count) => sum + Number(count), 0) * 1000) / TICKS_PER_SECOND
}
