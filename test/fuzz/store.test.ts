import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HermError } from '../../src/errors.ts'
import { configStore } from '../../src/store/config.ts'
import { callLockName, entryFileName, placeFileName } from '../../src/store/entry-path.ts'
import { fileJournal } from '../../src/store/file-journal.ts'
import type { JournalEntry } from '../../src/store/journal.ts'
import { acquireLock } from '../../src/store/process-lock.ts'
import { processTable } from '../../src/store/process-table.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testClock } from '../helpers/test-clock.ts'
import { whileTimePasses } from '../helpers/while-time-passes.ts'
import { abyss, anyJson } from './arbitraries.ts'

const key = { baseUrl: 'http://127.0.0.1:1', sessionId: 'ses_1', toolUseId: 'call_1' }
const processes = processTable(process)

/** Bytes; JSON of any kind; a real file cut short, or with any value in one of its fields. */
const contentLike = (real: object) =>
  fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.json(),
    fc.nat(JSON.stringify(real).length).map((length) => JSON.stringify(real).slice(0, length)),
    fc
      .tuple(fc.constantFrom(...Object.keys(real)), anyJson)
      .map(([name, value]) => JSON.stringify({ ...real, [name]: value })),
    fc.constantFrom(abyss, JSON.stringify(real).replace(/}$/, `,"later":${abyss}}`)),
  )

const entry: JournalEntry = {
  version: 1,
  ...key,
  toolName: 'render',
  firstSeenAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  kickoff: { digest: 'd', eventId: 'evt_1', recordedAt: '2026-01-01T00:00:00Z' },
  final: { digest: 'd', status: 'completed', recordedAt: '2026-01-01T00:00:00Z', source: 'accepted' },
}

it('a journal file of any content is an entry, or is reported and left as it is', async () => {
  const { journal, write } = aJournal()
  await fc.assert(
    fc.asyncProperty(contentLike(entry), async (content) => {
      write(join('journal', entryFileName(key)), content)
      const { entries, problems } = await journal.list()
      expect(entries.length + problems.length).toBe(1)
      const found = await orHermError(journal.read(key))
      if (problems.length > 0) {
        expect(found).toMatchObject({ kind: 'failed' })
        return
      }
      expect(found).toEqual(entries[0])
      expect(await orHermError(journal.update(key, (before) => before ?? {}))).not.toBeInstanceOf(HermError)
    }),
    { numRuns: 50 },
  )
})

it('a base URL of slashes in a journal file costs no more than its length', async () => {
  const { journal, write } = aJournal()
  write(join('journal', entryFileName(key)), JSON.stringify({ ...entry, baseUrl: `${'/'.repeat(300_000)}x` }))
  const startedAt = performance.now()
  expect((await journal.list()).problems).toHaveLength(1)
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})

it('a place of any content is a place, or is refused', async () => {
  const { journal, write } = aJournal()
  const oldest = { sequence: 1, id: 'evt_0', createdAt: '2026-01-01T00:00:00.000Z' }
  const real = { version: 1, sequence: 4, runningResults: ['evt_1'], oldest }
  await fc.assert(
    fc.asyncProperty(contentLike(real), async (content) => {
      write(join('places', placeFileName(key)), content)
      const place = await orHermError(journal.readPlace(key))
      if (!(place instanceof HermError)) expect(Number.isSafeInteger(place?.sequence)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

it('a config of any content is a config, or is refused without a word of what is in it', async () => {
  const directory = join(temporaryFolder(), 'config')
  const store = configStore({ directory, clock: testClock(), processes, onWarning: () => {} })
  const real = { version: 1, currentProfile: 'a', profiles: { a: { apiKey: 'prism_sk_secret', session: 'ses_1' } } }
  mkdirSync(directory, { mode: 0o700 })
  await fc.assert(
    fc.asyncProperty(contentLike(real), async (content) => {
      writeFileSync(store.path, content, { mode: 0o600 })
      const config = await orHermError(store.read())
      if (config instanceof HermError) expect(config.message).not.toContain('prism_sk_secret')
      else expect(config).toMatchObject({ version: 1, profiles: expect.any(Object) })
    }),
    { numRuns: 60 },
  )
})

it('whatever stands in the place of a lock, it is taken over or given up in time', async () => {
  const folder = temporaryFolder()
  const real = { version: 1, token: 't', pid: 1, host: 'h', takenAt: '2026-01-01T00:00:00Z', label: 'l' }
  let count = 0
  await fc.assert(
    fc.asyncProperty(contentLike(real), fc.boolean(), async (content, isHere) => {
      const path = join(folder, `${callLockName(key)}-${count++}`)
      mkdirSync(path)
      const text =
        typeof content === 'string' && isHere ? content.replace('"h"', JSON.stringify(processes.host)) : content
      writeFileSync(join(path, 'owner.json'), text)
      const clock = testClock()
      const wait = { label: 'test', timeoutMs: 7_000, clock, processes }
      const lock = await whileTimePasses(clock, orHermError(acquireLock({ path, ...wait })))
      if (lock instanceof HermError) expect(lock.kind).toBe('timeout')
      else await lock.release()
    }),
    { numRuns: 6 },
  )
})

function aJournal() {
  const directory = temporaryFolder()
  const journal = fileJournal({ directory, clock: testClock(), processes, onWarning: () => {} })
  return {
    journal,
    write(name: string, content: string | Uint8Array) {
      mkdirSync(dirname(join(directory, name)), { recursive: true, mode: 0o700 })
      writeFileSync(join(directory, name), content, { mode: 0o600 })
    },
  }
}

/** What came of it, an error that was raised on purpose included; any other is thrown. */
async function orHermError<T>(work: Promise<T>): Promise<T | HermError> {
  return work.catch((error) => {
    if (error instanceof HermError) return error
    throw error
  })
}
