import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ConfigFile, configStore } from '../../src/store/config.ts'
import { placeFileName } from '../../src/store/entry-path.ts'
import { fileJournal } from '../../src/store/file-journal.ts'
import { isForeign } from '../../src/store/own-place.ts'
import { type ProcessTable, processTable } from '../../src/store/process-table.ts'
import { giveAway, isRoot } from '../helpers/foreign.ts'
import { realClock } from '../helpers/real-clock.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const key = { baseUrl: 'http://127.0.0.1:1', sessionId: 'ses_1', toolUseId: 'call_1' }
const CONFIG = '{"version":1,"profiles":{"default":{"baseUrl":"https://evil.example"}}}'
const ours = processTable(process)

test.each([
  [1000, 1000, false],
  [0, 1000, false],
  [1001, 1000, true],
  [1000, 0, true],
  [0, undefined, false],
])('what belongs to user %s, asked by user %s', (owner, self, expected) => {
  expect(isForeign(owner, self)).toBe(expected)
})

describe('a config is refused, unread and unwritten,', () => {
  test.each<[string, (place: Place) => ProcessTable]>([
    ['in a folder of another user', ({ folder }) => giveAway(folder)],
    ['that is a file of another user', ({ config }) => giveAway(config)],
    ['in a folder that another user linked', ({ link }) => giveAway(link)],
  ])('%s', async (_name, spoil) => {
    const place = aPlace()
    const store = configAt(place.link, spoil(place))
    await expectRefusal(store.read(), 'HERM_TOOLS_CONFIG_DIR')
    await expectRefusal(
      store.update((config) => config),
      'HERM_TOOLS_CONFIG_DIR',
    )
    expect(readFileSync(place.config, 'utf8')).toBe(CONFIG)
    expect(readdirSync(place.folder)).toEqual(['config.json'])
  })

  test.runIf(isRoot)('that is a link of our own to a file of another user', async () => {
    const place = aPlace()
    const theirs = join(place.root, 'theirs.json')
    writeFileSync(theirs, CONFIG)
    giveAway(theirs)
    const other = join(place.root, 'other')
    mkdirSync(other, { mode: 0o700 })
    symlinkSync(theirs, join(other, 'config.json'))
    await expectRefusal(configAt(other, ours).read(), 'HERM_TOOLS_CONFIG_DIR')
  })
})

describe('a journal is refused, unread and unwritten,', () => {
  test.each<[string, (place: Place & { entry: string }) => ProcessTable]>([
    ['in a folder of another user', ({ folder }) => giveAway(folder)],
    ['in a folder that another user linked', ({ link }) => giveAway(link)],
    ['when its own folder is of another user', ({ folder }) => giveAway(join(folder, 'journal'))],
    ['when an entry is of another user', ({ entry }) => giveAway(entry)],
  ])('%s', async (_name, spoil) => {
    const place = aPlace()
    await journalAt(place.link, ours).update(key, () => ({ toolName: 'render' }))
    const entry = join(place.folder, 'journal', readdirSync(join(place.folder, 'journal'))[0] ?? '')
    const before = readFileSync(entry, 'utf8')
    const journal = journalAt(place.link, spoil({ ...place, entry }))
    await expectRefusal(journal.read(key), 'HERM_TOOLS_STATE_DIR')
    await expectRefusal(journal.list(), 'HERM_TOOLS_STATE_DIR')
    await expectRefusal(journal.findByToolUseId(key.toolUseId), 'HERM_TOOLS_STATE_DIR')
    await expectRefusal(
      journal.update(key, () => ({})),
      'HERM_TOOLS_STATE_DIR',
    )
    expect(readFileSync(entry, 'utf8')).toBe(before)
  })

  test('when locks or places are of another user', async () => {
    const { folder } = aPlace()
    await journalAt(folder, ours).writePlace(key, { sequence: 1, runningResults: [] })
    const journal = journalAt(folder, giveAway(join(folder, 'places', placeFileName(key))))
    await expectRefusal(journal.readPlace(key), 'HERM_TOOLS_STATE_DIR')
    mkdirSync(join(folder, 'locks'))
    const other = journalAt(folder, giveAway(join(folder, 'locks')))
    await expectRefusal(other.lockCall(key, { label: 'test', timeoutMs: 10 }), 'HERM_TOOLS_STATE_DIR')
    expect(readdirSync(join(folder, 'locks'))).toEqual([])
  })
})

test("one's own link to one's own folder is fine", async () => {
  const { link, folder } = aPlace()
  expect(await configAt(link, ours).read()).toEqual(JSON.parse(CONFIG))
  await configAt(link, ours).update((config: ConfigFile) => ({ ...config, currentProfile: 'default' }))
  await journalAt(link, ours).update(key, () => ({}))
  expect((await journalAt(folder, ours).list()).entries).toHaveLength(1)
})

test('a state folder that others may write to is closed to their writing alone', async () => {
  const { folder } = aPlace()
  chmodSync(folder, 0o777)
  const warnings: string[] = []
  await journalAt(folder, ours, (message) => warnings.push(message)).update(key, () => ({}))
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('755')
  expect(warnings).toEqual([`${folder} was open to other users (mode 777); it is now closed to them`])
})

interface Place {
  readonly root: string
  /** With a config in it. */
  readonly folder: string
  readonly config: string
  /** To the folder. */
  readonly link: string
}

function aPlace(): Place {
  const root = temporaryFolder()
  const [folder, link] = [join(root, 'folder'), join(root, 'link')]
  const config = join(folder, 'config.json')
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(config, CONFIG, { mode: 0o600 })
  symlinkSync(folder, link)
  return { root, folder, config, link }
}

function configAt(directory: string, processes: ProcessTable) {
  return configStore({ directory, clock: realClock, processes, onWarning: () => {} })
}

function journalAt(directory: string, processes: ProcessTable, onWarning: (message: string) => void = () => {}) {
  return fileJournal({ directory, clock: realClock, processes, onWarning })
}

async function expectRefusal(work: Promise<unknown>, variable: string): Promise<void> {
  await expect(work).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/belongs to another user \(uid \d+\)/),
    hint: expect.stringContaining(variable),
  })
}
