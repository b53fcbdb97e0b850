import { once } from 'node:events'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Builds the program and lays out what is published of it. Resolves with that place and the path of its executable. */
export async function stagePackage({ children, folder }) {
  const stage = join(folder, 'package')
  const { name, bin, files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await mkdir(stage)
  const build = children.start(['npm', 'run', '--silent', 'build', '--', '--dir', join(stage, 'dist')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = await once(build, 'close')
  if (code !== 0) throw new Error(`the build ended with ${code ?? signal}`)

  // Whole folders, also where only some files of one are published: npm chooses.
  const places = new Set(['package.json', ...files].map((pattern) => pattern.split('/')[0]))
  places.delete('dist')
  for (const place of places) await cp(join(root, place), join(stage, place), { recursive: true })
  return { stage, program: join(stage, bin[name]) }
}
