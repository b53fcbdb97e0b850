import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alternate } from '../alternate.mjs'
import { atMost } from '../bars.mjs'
import { ratio, timeTable } from '../time-table.mjs'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

const NODE = 'node -e 0'

/** What a command costs that does nothing: the whole process, beside a bare Node.js. */
export const startUp = {
  name: 'start-up',
  title: 'Start-up',
  rounds: { full: 30, quick: 5 },
  async compare(lab) {
    const env = await lab.home()
    const bare = { [NODE]: { command: [process.execPath, '-e', '0'] } }
    const ours = {
      '--version': { command: lab.tool('--version') },
      '--help': { command: lab.tool('--help') },
      'a usage error': { command: lab.tool('complete', '--no-such-option'), exitCode: 2 },
    }
    const others = await otherTools()
    const samples = await alternate(
      Object.fromEntries(
        Object.entries({ ...bare, ...ours, ...others }).map(([name, { command, exitCode }]) => [
          name,
          () => lab.run(command, { env, exitCode }),
        ]),
      ),
      lab,
    )
    return {
      bars: Object.keys(ours).map((name) =>
        atMost(1.2, { what: `${name}, of ${NODE}`, value: ratio(samples, name, NODE) }),
      ),
      tables: [timeTable(samples, { base: NODE })],
    }
  },
}

/** `--version` of command-line programs that many know, as their packages start them. */
async function otherTools() {
  const packages = { biome: '@biomejs/biome', tsc: 'typescript', knip: 'knip', rolldown: 'rolldown', vitest: 'vitest' }
  const tools = {}
  for (const [name, place] of Object.entries(packages)) {
    const { bin } = JSON.parse(await readFile(join(modules, place, 'package.json'), 'utf8'))
    tools[`${name} --version`] = { command: [process.execPath, join(modules, place, bin[name]), '--version'] }
  }
  return tools
}
