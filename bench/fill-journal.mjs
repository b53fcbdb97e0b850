import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/**
 * Makes entries of the calls `custom_toolu_1` and on, each of its own session and answered with `running`. The program
 * writes the first; the others are copies of it, under names that its own source makes.
 */
export async function fillJournal(lab, { env, entries, entryFileName }) {
  const [sessionId, toolUseId] = idsOf(1)
  await lab.run(lab.tool('running', '--session', sessionId, '--tool-use-id', toolUseId, '--text', 'Rendering.'), {
    env,
  })
  const folder = join(env.HERM_TOOLS_STATE_DIR, 'journal')
  const [name] = await readdir(folder)
  const entry = JSON.parse(await readFile(join(folder, name), 'utf8'))
  if (entryFileName(entry) !== name) throw new Error(`the journal has ${name}, not ${entryFileName(entry)}`)
  for (let n = 2; n <= entries; n++) {
    const [sessionId, toolUseId] = idsOf(n)
    const copy = { ...entry, sessionId, toolUseId }
    await writeFile(join(folder, entryFileName(copy)), `${JSON.stringify(copy, undefined, 2)}\n`, { mode: 0o600 })
  }
}

function idsOf(n) {
  return [`ses_idle_0_${n}`, `custom_toolu_${n}`]
}

/** The function of the sources that names the file of an entry. */
export async function loadEntryFileName(folder) {
  const input = fileURLToPath(new URL('../src/store/entry-path.ts', import.meta.url))
  const file = join(folder, 'entry-path.mjs')
  const bundle = await rolldown({ input, platform: 'node' })
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  const { entryFileName } = await import(pathToFileURL(file).href)
  return entryFileName
}
