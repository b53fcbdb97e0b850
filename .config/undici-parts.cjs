/**
 * What src/client uses of undici, put together as its own index does. The index also loads fetch, WebSocket, the caches
 * and the mocks, which more than doubles the time until a command begins.
 */
const Agent = require('undici/lib/dispatcher/agent.js')
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js')
const Pool = require('undici/lib/dispatcher/pool.js')
const ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js')
const request = require('undici/lib/api/api-request.js')
const connect = require('undici/lib/api/api-connect.js')

// ProxyAgent calls `connect` on its pool; `request` is what the client calls.
Object.assign(Dispatcher.prototype, { request, connect })

module.exports = {
  Agent,
  Pool,
  ProxyAgent,
  request: (url, { dispatcher, ...options }) =>
    dispatcher.request({ ...options, origin: url.origin, path: `${url.pathname}${url.search}` }),
}
