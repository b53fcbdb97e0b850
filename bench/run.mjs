import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endChild } from './children.mjs'
import { reapedCpuMs } from './process-cost.mjs'

/** Nothing that is measured takes this long, on any machine. */
const RUN_LIMIT_MS = 600_000

const exitReport = fileURLToPath(new URL('exit-report.cjs', import.meta.url))

/**
 * @typedef {object} Run
 * @property {number} wallMs From the start of the process to its end.
 * @property {number | undefined} cpuMs Of it and what it waited for; in steps of 10 ms, so only a mean of several says much.
 * @property {number} [peakBytes] The most memory that it held; with `report`.
 * @property {string} stdout
 * @property {string} stderr
 */

/** Makes the function that runs one command to its end and measures it. */
export function createRunner({ children, folder, signal }) {
  /**
   * @param {string[]} command
   * @param {object} options
   * @param {Record<string, string>} options.env
   * @param {string[]} [options.into] A command that reads its stdout through a pipe.
   * @param {boolean} [options.report] Have a Node.js process report on itself as it ends: memory, and exact CPU time.
   * @param {number} [options.exitCode] The one that is right.
   * @returns {Promise<Run>}
   */
  return async function run(command, { env, into, report = false, exitCode = 0 }) {
    const reportFile = join(folder, `report-${randomUUID()}.json`)
    const reporting = report ? [command[0], '--require', exitReport, ...command.slice(1)] : command
    const whole = into === undefined ? reporting : pipeline(reporting, into)
    const cpuBefore = reapedCpuMs()
    const startedAt = performance.now()
    const child = children.start(whole, { env: { ...env, BENCH_EXIT_REPORT: reportFile } })
    const limit = setTimeout(() => void endChild(child), RUN_LIMIT_MS)
    const output = [child.stdout, child.stderr].map((stream) => stream.setEncoding('utf8').toArray())
    const closed = once(child, 'close')
    closed.catch(() => undefined)
    await once(child, 'exit')
    const wallMs = performance.now() - startedAt
    const cpuAfter = reapedCpuMs()
    await closed
    clearTimeout(limit)
    signal.throwIfAborted()

    const [stdout, stderr] = (await Promise.all(output)).map((chunks) => chunks.join(''))
    if (child.exitCode !== exitCode) {
      throw new Error(
        `${whole.join(' ')} ended with ${child.exitCode ?? child.signalCode}, not ${exitCode}:\n${stderr}`,
      )
    }
    const cpuMs = cpuBefore === undefined ? undefined : cpuAfter - cpuBefore
    return { wallMs, cpuMs, stdout, stderr, ...(report && JSON.parse(await readFile(reportFile, 'utf8'))) }
  }
}

/** A pipe of the system: what Node.js gives a child for its stdout is a socket, which is another thing to write to. */
function pipeline(command, into) {
  return ['bash', '-o', 'pipefail', '-c', `${command.map(quoted).join(' ')} | ${into.map(quoted).join(' ')}`]
}

function quoted(word) {
  return `'${word.replaceAll("'", "'\\''")}'`
}
