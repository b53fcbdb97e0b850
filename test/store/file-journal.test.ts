import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Place } from '../../src/protocol/timeline.ts'
import { entryFileName } from '../../src/store/entry-path.ts'
import { fileJournal } from '../../src/store/file-journal.ts'
import type { CallKey, Intent } from '../../src/store/journal.ts'
import { processTable } from '../../src/store/process-table.ts'
import { programs } from '../helpers/programs.ts'
import { realClock } from '../helpers/real-clock.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testClock } from '../helpers/test-clock.ts'

const fixtures = programs('store', ['journal-updates'])

const key: CallKey = { baseUrl: 'https://api.herm.run', sessionId: 'sess_1', toolUseId: 'toolu_1' }
const placeAt = (sequence: number): Place => ({ sequence, runningResults: ['evt_2'] })
const intent: Intent = {
  status: 'completed',
  digest: 'sha256:1',
  attempt: 1,
  writtenAt: '2026-01-01T00:00:00.000Z',
  forced: false,
  token: 'token',
  knownResultEventIds: ['evt_1'],
}

function setUp(directory = join(temporaryFolder(), 'state')) {
  const warnings: string[] = []
  const clock = testClock()
  const journal = fileJournal({
    directory,
    clock,
    processes: processTable(process),
    onWarning: (message) => warnings.push(message),
  })
  return { journal, directory, warnings, clock, path: join(directory, 'journal', entryFileName(key)) }
}

async function breakEntry(text: string) {
  const made = setUp()
  await made.journal.update(key, () => ({}))
  await writeFile(made.path, text)
  return made
}

test('makes nothing until something is written, and reads as empty', async () => {
  const { journal, directory } = setUp()
  expect(await journal.read(key)).toBeUndefined()
  expect(await journal.list()).toEqual({ entries: [], problems: [] })
  expect(await journal.findByToolUseId('toolu_1')).toEqual({ entries: [], problems: [] })
  expect(await journal.forget(key)).toBe(false)
  expect(await journal.readPlace(key)).toBeUndefined()
  await expect(readdir(directory)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('stores what change returns, with key and times, and gives it to the next change', async () => {
  const { journal, clock } = setUp()
  const first = await journal.update(key, (entry) => ({ ...entry, toolName: 'render', intent }))
  expect(first).toEqual({
    version: 1,
    ...key,
    toolName: 'render',
    intent,
    firstSeenAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  })
  await clock.advance(1000)
  await journal.update(key, (entry) => ({ ...entry, intent: undefined }))
  const { intent: _, ...rest } = first
  expect(await journal.read(key)).toEqual({ ...rest, updatedAt: '2026-01-01T00:00:01.000Z' })
})

test('takes base URLs with and without a trailing slash for one', async () => {
  const { journal } = setUp()
  await journal.update({ ...key, baseUrl: 'https://api.herm.run/' }, () => ({ toolName: 'render' }))
  expect(await journal.read(key)).toMatchObject({ baseUrl: 'https://api.herm.run', toolName: 'render' })
})

test('keeps fields that it does not know, at every level', async () => {
  const { journal, path } = setUp()
  await journal.update(key, () => ({ intent }))
  const stored = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...stored, later: 1, intent: { ...intent, later: 2 } }))
  await journal.update(key, (entry) => ({ ...entry, toolName: 'render' }))
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
    later: 1,
    intent: { later: 2 },
    toolName: 'render',
  })
})

test('leaves the entry as it was when change throws, and is free for the next', async () => {
  const { journal } = setUp()
  await journal.update(key, () => ({ toolName: 'render' }))
  const refused = journal.update(key, () => {
    throw new Error('no')
  })
  await expect(refused).rejects.toThrow('no')
  expect(await journal.update(key, (entry) => ({ ...entry }))).toMatchObject({ toolName: 'render' })
})

test('lists by time of change, and finds a tool-use id in all sessions', async () => {
  const { journal, clock } = setUp()
  const places: CallKey[] = [
    key,
    { ...key, sessionId: 'sess_2' },
    { ...key, baseUrl: 'http://127.0.0.1:1' },
    { ...key, toolUseId: 'toolu_10' },
    { ...key, toolUseId: 'TOOLU_1' },
  ]
  for (const place of places.toReversed()) {
    await journal.update(place, () => ({}))
    await clock.advance(1000)
  }
  await journal.update({ ...key, toolUseId: 'toolu_10' }, (entry) => ({ ...entry }))
  const listed = (await journal.list()).entries
  expect(listed.map(({ baseUrl, sessionId, toolUseId }) => ({ baseUrl, sessionId, toolUseId }))).toEqual([
    places[4],
    places[2],
    places[1],
    places[0],
    places[3],
  ])
  const found = (await journal.findByToolUseId('toolu_1')).entries
  expect(found.map((entry) => [entry.baseUrl, entry.sessionId])).toEqual(
    [places[2], places[1], places[0]].map((place) => [place?.baseUrl, place?.sessionId]),
  )
})

test('forgets', async () => {
  const { journal } = setUp()
  await journal.update(key, () => ({}))
  expect(await journal.forget(key)).toBe(true)
  expect(await journal.read(key)).toBeUndefined()
  expect(await journal.forget(key)).toBe(false)
})

test.each([
  ['half an entry', '{"version": 1, "baseUrl":', 'no JSON'],
  ['nothing', '', 'no JSON'],
  ['the wrong shape', '{"version": 1}', 'it is not an entry of the journal'],
  ['a later version', '{"version": 2, "final": true}', 'update herm-tools'],
  [
    'the entry of another call',
    JSON.stringify({ version: 1, ...key, toolUseId: 'toolu_2', firstSeenAt: '', updatedAt: '' }),
    'another call, toolu_2',
  ],
])('refuses to go on over %s, time after time, until it is put aside', async (_, text, reason) => {
  const { journal, path } = await breakEntry(text)
  for (const attempt of [() => journal.read(key), () => journal.update(key, () => ({})), () => journal.forget(key)]) {
    const error = await attempt().catch((error) => error)
    expect(error).toMatchObject({ kind: 'failed', hint: expect.stringContaining('herm-tools jobs forget toolu_1') })
    expect(error.message).toContain(path)
    expect(error.message).toContain(reason)
  }
  expect(await readFile(path, 'utf8')).toBe(text)
  const { problems } = await journal.list()
  expect(problems).toEqual([{ place: path, reason: expect.stringContaining(reason) }])
  expect((await journal.findByToolUseId('toolu_1')).problems).toEqual(problems)

  const kept = await journal.putAside(problems[0] ?? expect.unreachable())
  expect(await readFile(kept, 'utf8')).toBe(text)
  expect(await journal.read(key)).toBeUndefined()
  expect(await journal.list()).toEqual({ entries: [], problems: [] })
})

test('is closed to other users, and closes a folder that was open with a warning', async () => {
  const { journal, directory, warnings, path } = setUp()
  await mkdir(join(directory, 'journal'), { recursive: true })
  await chmod(join(directory, 'journal'), 0o755)
  await journal.update(key, () => ({}))
  await journal.writePlace(key, placeAt(1))
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  expect(await modeOf(join(directory, 'journal'))).toBe('700')
  expect(await modeOf(join(directory, 'places'))).toBe('700')
  expect(await modeOf(join(directory, 'locks'))).toBe('700')
  expect(await modeOf(path)).toBe('600')
  expect(warnings).toEqual([`${directory}/journal was open to other users (mode 755); it is now closed to them`])
})

test('a folder in the place of an entry is a problem like any other', async () => {
  const { journal, path } = setUp()
  await mkdir(path, { recursive: true })
  await journal.update({ ...key, toolUseId: 'toolu_2' }, () => ({}))
  const { entries, problems } = await journal.list()
  expect(entries.map(({ toolUseId }) => toolUseId)).toEqual(['toolu_2'])
  expect(problems).toEqual([{ place: path, reason: 'it is a folder' }])
  await expect(journal.read(key)).rejects.toMatchObject({ message: expect.stringContaining('it is a folder') })
  await journal.putAside(problems[0] ?? expect.unreachable())
  expect((await journal.list()).problems).toEqual([])
})

test('says what to do when the state folder cannot be written', async () => {
  const file = join(temporaryFolder(), 'file')
  await writeFile(file, '')
  const { journal } = setUp(join(file, 'state'))
  expect(await journal.read(key)).toBeUndefined()
  for (const act of [
    () => journal.update(key, () => ({})),
    () => journal.writePlace(key, placeAt(1)),
    () => journal.lockCall(key, { label: 'test', timeoutMs: 0 }),
  ]) {
    await expect(act()).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('ENOTDIR'),
      hint: expect.stringContaining('HERM_TOOLS_STATE_DIR'),
    })
  }
})

test('sweeps what killed writers left once it is a day old, and nothing else', async () => {
  const { journal, directory, path } = setUp()
  await journal.update(key, () => ({}))
  const leftover = join(directory, 'journal', `${basename(path)}.1.tmp`)
  await writeFile(leftover, '{')
  const at = async (now: number) => {
    const later = fileJournal({
      directory,
      clock: testClock(now),
      processes: processTable(process),
      onWarning: () => {},
    })
    await later.findByToolUseId('another')
    return (await readdir(join(directory, 'journal'))).sort()
  }
  expect(await at(Date.now())).toEqual([basename(path), basename(leftover)])
  expect(await at(Date.now() + 25 * 3_600_000)).toEqual([basename(path)])
})

test('remembers where to resume, per session', async () => {
  const { journal, directory } = setUp()
  await journal.writePlace(key, placeAt(7))
  await journal.writePlace({ ...key, sessionId: 'sess_2' }, placeAt(9))
  await journal.writePlace(key, placeAt(8))
  expect(await journal.readPlace({ ...key, baseUrl: 'https://api.herm.run/' })).toEqual(placeAt(8))
  const [name = ''] = await readdir(join(directory, 'places'))
  await writeFile(join(directory, 'places', name), '{}')
  await expect(
    Promise.all([journal.readPlace(key), journal.readPlace({ ...key, sessionId: 'sess_2' })]),
  ).rejects.toMatchObject({
    kind: 'failed',
    hint: expect.stringContaining('--resume'),
  })
})

test('locks a call, the finals of its session and an update apart from each other', async () => {
  const { journal } = setUp()
  const wait = { label: 'test', timeoutMs: 0 }
  const call = await journal.lockCall(key, wait)
  const finals = await journal.lockFinals(key, wait)
  const other = await journal.lockCall({ ...key, toolUseId: 'toolu_2' }, wait)
  await journal.update(key, () => ({}))
  await expect(journal.lockCall(key, wait)).rejects.toMatchObject({ kind: 'timeout' })
  await expect(journal.lockFinals({ ...key, baseUrl: 'https://api.herm.run/' }, wait)).rejects.toMatchObject({
    kind: 'timeout',
  })
  for (const lock of [call, finals, other]) await lock.release()
})

test.each(['../../etc/passwd', '..', '', 'a\0b', 'x'.repeat(300), 'CON', 'nul.txt', 'a/b\\c', '🦉', '\ud800'])(
  'keeps the id %j in its folder',
  async (id) => {
    const { journal, directory } = setUp()
    await journal.update({ ...key, sessionId: id, toolUseId: id }, () => ({ toolName: 'render' }))
    await journal.writePlace({ ...key, sessionId: id }, placeAt(1))
    expect(await journal.read({ ...key, sessionId: id, toolUseId: id })).toMatchObject({ toolName: 'render' })
    expect((await journal.findByToolUseId(id)).entries).toHaveLength(1)
    expect((await readdir(directory)).sort()).toEqual(['journal', 'locks', 'places'])
  },
)

test('gives every id a name of its own, also where case does not count, that any file system takes', () => {
  const id = fc.string({ unit: 'binary', maxLength: 400 })
  fc.assert(
    fc.property(id, id, (one, other) => {
      const [first, second] = [one, other].map((toolUseId) => entryFileName({ ...key, toolUseId }))
      expect(first).toMatch(/^[\w-]{60,125}\.json$/)
      expect(first?.toLowerCase() === second?.toLowerCase()).toBe(one === other)
    }),
  )
  expect(entryFileName({ ...key, toolUseId: 'A' }).toLowerCase()).not.toBe(entryFileName({ ...key, toolUseId: 'a' }))
})

test('is whole, and holds what was reported as stored, after kill -9 in the middle of many updates', async () => {
  const directory = temporaryFolder()
  const journal = fileJournal({ directory, clock: realClock, processes: processTable(process), onWarning: () => {} })
  for (const round of [1, 2, 3, 4, 5]) {
    const run = fixtures.run('journal-updates', directory)
    await expect.poll(() => run.lines.length, { interval: 1, timeout: 20_000 }).toBeGreaterThan(5 * round)
    run.child.kill('SIGKILL')
    await run.ended
    const count = Number((await journal.read(key))?.toolName)
    const reported = Number(run.lines.at(-1))
    expect(count - reported === 0 || count - reported === 1).toBe(true)
  }
})

test('loses no update of several processes', async () => {
  const directory = temporaryFolder()
  const runs = [1, 2, 3].map(() => fixtures.run('journal-updates', directory, '40'))
  expect(await Promise.all(runs.map((run) => run.ended))).toEqual([0, 0, 0])
  const { journal } = setUp(directory)
  expect(await journal.read(key)).toMatchObject({ toolName: '120' })
})
