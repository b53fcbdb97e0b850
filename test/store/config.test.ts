import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { type ConfigFile, configStore } from '../../src/store/config.ts'
import { processTable } from '../../src/store/process-table.ts'
import { programs } from '../helpers/programs.ts'
import { realClock } from '../helpers/real-clock.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const fixtures = programs('store', ['config-updates'])

function setUp(directory = join(temporaryFolder(), 'config'), clock: Clock = realClock) {
  const warnings: string[] = []
  const store = configStore({
    directory,
    clock,
    processes: processTable(process),
    onWarning: (message) => warnings.push(message),
  })
  return { store, directory, warnings }
}

async function withFile(text: string, mode = 0o600) {
  const made = setUp()
  await mkdir(made.directory, { mode: 0o700 })
  await writeFile(made.store.path, text)
  await chmod(made.store.path, mode)
  return made
}

const withProfile = (name: string, session: string) => (config: ConfigFile) => ({
  ...config,
  currentProfile: name,
  profiles: { ...config.profiles, [name]: { ...config.profiles[name], session } },
})

test('reads as empty, and makes nothing, when there is no file', async () => {
  const { store, directory } = setUp()
  expect(await store.read()).toEqual({ version: 1, profiles: {} })
  await expect(readdir(directory)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await setUp('/dev/null/.config/herm-tools').store.read()).toEqual({ version: 1, profiles: {} })
})

test('stores profiles under their literal names, closed to others, and leaves nothing else behind', async () => {
  const { store, directory, warnings } = setUp()
  for (const name of ['a.b', 'constructor', 'ä b']) await store.update(withProfile(name, 'sess_1'))
  const session = { session: 'sess_1' }
  expect(await store.read()).toEqual({
    version: 1,
    currentProfile: 'ä b',
    profiles: { 'a.b': session, constructor: session, 'ä b': session },
  })
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  expect((await stat(store.path)).mode & 0o777).toBe(0o600)
  expect(await readdir(directory)).toEqual(['config.json'])
  expect(warnings).toEqual([])
})

test('keeps fields that it does not know', async () => {
  const { store } = await withFile('{"version": 1, "later": 1, "profiles": {"default": {"later": 2}}}')
  await store.update(withProfile('default', 'sess_1'))
  expect(JSON.parse(await readFile(store.path, 'utf8'))).toMatchObject({
    later: 1,
    profiles: { default: { later: 2, session: 'sess_1' } },
  })
})

test.each([
  ['no JSON', '{"version": 1, "profiles": {"default": {"apiKey": "sk-secret"'],
  ['an empty file', ''],
  ['the wrong shape', '{"version": 1, "profiles": {"default": {"apiKey": 5, "session": "sk-secret"}}}'],
  ['an unknown version', '{"version": 0, "profiles": {}}'],
])('stops at %s, says how to go on, and leaves it byte for byte', async (_, text) => {
  const { store, directory } = await withFile(text)
  for (const act of [() => store.read(), () => store.update(withProfile('default', 'sess_1'))]) {
    const error = await act().catch((error) => error)
    expect(error).toMatchObject({ kind: 'failed', hint: expect.stringContaining('auth login') })
    expect(error.message).toContain(store.path)
    expect(error.message).not.toContain('sk-secret')
  }
  expect(await readFile(store.path, 'utf8')).toBe(text)
  expect(await readdir(directory)).toEqual(['config.json'])
})

test('says of a file of a later version what it is, whatever else is in it, and leaves it', async () => {
  const text = '{"version": 2, "profiles": ["sk-secret"]}'
  const { store } = await withFile(text)
  for (const act of [() => store.read(), () => store.update(withProfile('default', 'sess_1'))]) {
    await expect(act()).rejects.toMatchObject({
      kind: 'failed',
      message: `a later herm-tools wrote the config ${store.path} (version 2)`,
      hint: expect.stringMatching(/^Update herm-tools/),
    })
  }
  expect(await readFile(store.path, 'utf8')).toBe(text)
})

test('reads and changes a file that begins with a byte order mark', async () => {
  const { store } = await withFile('\uFEFF{"version": 1, "profiles": {}}')
  expect(await store.read()).toEqual({ version: 1, profiles: {} })
  await store.update(withProfile('default', 'sess_1'))
  expect(await store.read()).toMatchObject({ profiles: { default: { session: 'sess_1' } } })
})

test('warns of a file that others can read, and closes it on the next change', async () => {
  const { store, directory, warnings } = await withFile('{"version": 1, "profiles": {}}', 0o644)
  await chmod(directory, 0o755)
  await store.read()
  expect(warnings.splice(0)).toEqual([`${store.path} can be read by other users; run: chmod 600 ${store.path}`])
  expect((await stat(store.path)).mode & 0o777).toBe(0o644)
  await store.update(withProfile('default', 'sess_1'))
  expect(warnings).toEqual([
    `${directory} was open to other users (mode 755); it is now closed to them`,
    `${store.path} could be read by other users; it is now closed to them`,
  ])
  expect((await stat(store.path)).mode & 0o777).toBe(0o600)
})

test('never closes a folder that is meant to be shared', async () => {
  const directory = temporaryFolder()
  await chmod(directory, 0o1777)
  await setUp(directory).store.update(withProfile('default', 'sess_1'))
  expect((await stat(directory)).mode & 0o7777).toBe(0o1777)
})

test('says which file cannot be read or written', async () => {
  const { store, directory } = setUp()
  await mkdir(directory)
  await symlink('config.json', store.path)
  await expect(store.read()).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('ELOOP'),
    cause: { code: 'ELOOP' },
  })
  await expect(setUp('/dev/null/herm-tools').store.update((config) => config)).rejects.toMatchObject({
    kind: 'failed',
    hint: expect.stringContaining('HERM_TOOLS_CONFIG_DIR'),
  })
})

// The system says of what is to be made in /proc that a folder above is missing, which Node.js believes for ever.
test.each(['/dev/null', '/dev/null/a/b', '/proc/a', '/proc/a/b'])(
  'a folder that cannot be made, %s, is an error',
  async (path) => {
    await expect(setUp(path).store.update((config) => config)).rejects.toMatchObject({
      kind: 'failed',
      hint: expect.stringContaining('HERM_TOOLS_CONFIG_DIR'),
    })
  },
)

test('stays where it is kept, behind a link', async () => {
  const { store, directory } = setUp()
  const elsewhere = join(temporaryFolder(), 'config.json')
  await mkdir(directory, { mode: 0o700 })
  await writeFile(elsewhere, '{"version": 1, "profiles": {}}', { mode: 0o600 })
  await symlink(elsewhere, store.path)
  await store.update(withProfile('default', 'sess_1'))
  expect((await lstat(store.path)).isSymbolicLink()).toBe(true)
  expect(JSON.parse(await readFile(elsewhere, 'utf8'))).toMatchObject({ profiles: { default: { session: 'sess_1' } } })
})

test('removes what a killed process left, and nothing else', async () => {
  const inTwoDays = { ...realClock, now: () => Date.now() + 2 * 24 * 60 * 60_000 }
  const { store, directory } = setUp(undefined, inTwoDays)
  await mkdir(directory, { mode: 0o700 })
  for (const name of ['config.json.1-2.tmp', 'other.tmp', 'config.json.bak']) await writeFile(join(directory, name), '')
  await store.update(withProfile('default', 'sess_1'))
  expect((await readdir(directory)).sort()).toEqual(['config.json', 'config.json.bak', 'other.tmp'])
})

test('refuses a profile name that JSON parsers lose', async () => {
  const { store } = setUp()
  await expect(store.update(withProfile('__proto__', 'sess_1'))).rejects.toMatchObject({ kind: 'usage' })
})

test('loses no change of two processes', async () => {
  const { store, directory } = setUp()
  const runs = ['one', 'other'].map((name) => fixtures.run('config-updates', directory, name, '40'))
  expect(await Promise.all(runs.map((run) => run.ended))).toEqual([0, 0])
  expect(Object.keys((await store.read()).profiles)).toHaveLength(80)
})
