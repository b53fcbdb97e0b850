import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { atMost } from '../bars.mjs'
import { count } from '../units.mjs'

/** npm runs these when a package is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare']
const LIMIT_BYTES = 2_000_000

/** The package as it is published. */
export const packageSize = {
  name: 'package',
  title: 'The package',
  rounds: { full: 1, quick: 1 },
  async compare(lab) {
    const [{ files, size, unpackedSize }] = await pack(lab)
    const { scripts = {}, dependencies = {} } = JSON.parse(await readFile(join(lab.stage, 'package.json'), 'utf8'))
    const native = files.filter(({ path }) => /\.node$|\.wasm$|(^|\/)binding\.gyp$/.test(path))
    const installScripts = INSTALL_SCRIPTS.filter((name) => name in scripts)
    const none = (what, found) => atMost(0, { what, value: found.length, digits: 0 })
    return {
      bars: [
        atMost(LIMIT_BYTES / 1e6, { what: 'unpacked', value: unpackedSize / 1e6, unit: 'MB' }),
        none('install scripts', installScripts),
        none('native modules', native),
        none('packages that it needs', Object.keys(dependencies)),
      ],
      tables: [
        {
          head: ['files', 'packed', 'unpacked'],
          rows: [[count(files.length), `${count(size)} bytes`, `${count(unpackedSize)} bytes`]],
        },
      ],
    }
  },
}

async function pack(lab) {
  const child = lab.start(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: lab.stage,
    env: await lab.home(),
  })
  const [printed, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(`npm pack ended with ${code}:\n${said}`)
  return JSON.parse(printed)
}
