import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('server/main.mjs', import.meta.url))

/**
 * The benchmark's own service, a process of its own. `ask` has it do one of what server/main.mjs offers, and resolves with
 * the answer.
 */
export async function startServer({ children, signal, holdMs = 0 }) {
  const child = children.fork(main, [String(holdMs)])
  const waiting = new Map()
  let asked = 0
  child.on('message', ({ id, value }) => waiting.get(id)?.(value))
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the server ended with ${code}`)
  })
  ended.catch(() => undefined)
  const { url } = await ask('url')
  return { url, ask, child }

  async function ask(name, options = {}) {
    const id = ++asked
    const answered = new Promise((resolve) => waiting.set(id, resolve))
    child.send({ id, name, options })
    const value = await Promise.race([answered, ended])
    waiting.delete(id)
    return value
  }
}
