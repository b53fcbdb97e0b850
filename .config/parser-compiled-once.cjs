const { setFlagsFromString } = require('node:v8')
const connectH1 = require('undici/lib/dispatcher/client-h1.js')

/**
 * undici parses HTTP with WebAssembly, which it compiles at the first connection. By default V8 then compiles it a second
 * time, better, which is a third of a short command's time, and the process waits for it at its end. Not sooner than this:
 * what Node.js loads after the flag is set is compiled without its cache.
 */
module.exports = (client, socket) => {
  setFlagsFromString('--liftoff-only')
  return connectH1(client, socket)
}
