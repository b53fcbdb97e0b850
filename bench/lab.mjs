import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { createRunner } from './run.mjs'
import { startServer } from './start-server.mjs'

/** @typedef {ReturnType<typeof createLab>} Lab What a comparison works with. */

export function createLab({ folder, children, signal, stage, program, quick, rounds, comparison }) {
  return {
    folder,
    signal,
    /** Where the package lies as it is published. */
    stage,
    rounds: rounds ?? comparison.rounds[quick ? 'quick' : 'full'],
    /** How much of something: less when it must be quick. */
    size: (full, small) => (quick ? small : full),
    /** The command that runs the program. @param {string[]} args */
    tool: (...args) => [process.execPath, program, ...args],
    /** An environment with an empty home and state of its own, and nothing of the user's. */
    async home({ url } = {}) {
      const home = await mkdtemp(join(folder, 'home-'))
      return {
        PATH: process.env.PATH,
        HOME: home,
        HERM_TOOLS_CONFIG_DIR: join(home, 'config'),
        HERM_TOOLS_STATE_DIR: join(home, 'state'),
        PRISM_API_KEY: 'prism_sk_bench',
        ...(url && { HERM_BASE_URL: url }),
      }
    },
    start: children.start,
    run: createRunner({ children, folder, signal }),
    server: (options) => startServer({ children, signal, ...options }),
  }
}
