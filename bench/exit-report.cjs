// Loaded into a measured process (`--require`): as it ends, it writes down what it took. The peak is VmHWM where there is
// one: the system's `maxrss` also counts the process that it was forked from.
const { readFileSync, writeFileSync } = require('node:fs')

process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const report = { cpuMs: (user + system) / 1000, peakBytes: peakBytes() }
  writeFileSync(process.env.BENCH_EXIT_REPORT, JSON.stringify(report))
})

function peakBytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024
}
