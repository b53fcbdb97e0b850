const { setFlagsFromString } = require('node:v8')
const connectH1 = require('undici/lib/dispatcher/client-h1.js')

let isFlagSet = false

/**
 * undici parses HTTP with WebAssembly, which it compiles at the first connection. By default V8 then compiles it a second
 * time, better, which is a third of a short command's time, and the process waits for it at its end. Not sooner than this:
 * what Node.js loads after the flag is set is compiled without its cache.
 */
module.exports = (client, socket) => {
  if (!isFlagSet) {
    isFlagSet = true
    setFlagsFromString('--liftoff-only')
    process.prependOnceListener('exit', restoreFlags)
  }
  return connectH1(client, socket)
}

/** What is kept of the compiled program counts for the flags with which the next start begins. */
function restoreFlags() {
  for (const flag of ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering']) setFlagsFromString(flag)
}
