import { readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { syncFolder, writeDurably } from './durable-write.ts'
import { readEntryFile, readEntryFiles } from './entry-file.ts'
import {
  callLockName,
  entryFileName,
  entryFilePrefix,
  entryLockName,
  finalsLockName,
  placeFileName,
} from './entry-path.ts'
import {
  type CallKey,
  entryWith,
  type Journal,
  type JournalEntry,
  type JournalListing,
  type JournalProblem,
} from './journal.ts'
import { assertOwn, unlessAbsent } from './own-place.ts'
import { readPlaceFile, writePlaceFile } from './place-file.ts'
import { ensureOthersDoNotWrite, ensurePrivateFolder } from './private-folder.ts'
import { acquireLock, type Lock, type LockWait } from './process-lock.ts'
import type { ProcessTable } from './process-table.ts'
import { reading, writing } from './storage-failure.ts'
import { sweepLeftovers } from './sweep-leftovers.ts'

const variable = 'HERM_TOOLS_STATE_DIR'

/** An update takes milliseconds; whoever holds its lock for this long is stopped. */
const UPDATE_WAIT_MS = 10_000

export interface FileJournalOptions {
  /** The state folder; nothing is made in it before the first write. */
  readonly directory: string
  readonly clock: Clock
  readonly processes: ProcessTable
  readonly onWarning: (message: string) => void
}

/**
 * The journal of one machine: a JSON file per tool call in `journal/`, one per resume place in `places/`, and `locks/`,
 * all for their owner alone (files 0600, folders 0700). A file is only ever replaced as a whole.
 */
export function fileJournal({ directory, clock, processes, onWarning }: FileJournalOptions): Journal {
  const folders = {
    entries: join(directory, 'journal'),
    places: join(directory, 'places'),
    locks: join(directory, 'locks'),
  }
  const swept = new Set<string>()
  const own = { userId: processes.userId, variable }

  function readingIn<T>(folder: string, act: () => Promise<T>, path = folder): Promise<T> {
    return reading({ path, variable }, async () => {
      assertOwn([directory, folder], own)
      return act()
    })
  }

  async function prepare(folder: string): Promise<void> {
    assertOwn([directory, folder], own)
    await ensureOthersDoNotWrite(directory, onWarning)
    await ensurePrivateFolder(folder, onWarning)
    // The journal may hold very many files; whoever lists it sweeps it.
    if (folder === folders.entries || swept.has(folder)) return
    swept.add(folder)
    await sweptNames(folder)
  }

  /** The names in a folder, without old leftovers; none for a folder that is not there. */
  async function sweptNames(folder: string): Promise<readonly string[]> {
    const names = unlessAbsent(() => readdirSync(folder)) ?? []
    await sweepLeftovers(folder, names, clock.now())
    return names
  }

  function list(prefix: string): Promise<JournalListing> {
    return readingIn(folders.entries, async () => {
      const names = await sweptNames(folders.entries)
      return readEntryFiles(
        folders.entries,
        names.filter((name) => name.startsWith(prefix)),
        own,
      )
    })
  }

  function lock(name: string, wait: LockWait): Promise<Lock> {
    return writing({ path: folders.locks, variable }, async () => {
      await prepare(folders.locks)
      return acquireLock({ ...wait, path: join(folders.locks, name), clock, processes })
    })
  }

  async function alone<T>(key: CallKey, act: () => Promise<T>): Promise<T> {
    const held = await lock(entryLockName(key), { label: `journal of ${key.toolUseId}`, timeoutMs: UPDATE_WAIT_MS })
    try {
      return await act()
    } finally {
      await held.release()
    }
  }

  const pathOf = (key: CallKey) => join(folders.entries, entryFileName(key))

  async function read(key: CallKey): Promise<JournalEntry | undefined> {
    const found = await readingIn(folders.entries, async () => readEntryFile(pathOf(key), own), pathOf(key))
    if (found !== undefined && 'problem' in found) throw notUnderstood(found.problem, key)
    return found?.entry
  }

  return {
    read,
    update: (key, change) =>
      alone(key, async () => {
        const before = await read(key)
        const after = entryWith(change(before), { key, before, now: new Date(clock.now()).toISOString() })
        await writing({ path: folders.entries, variable }, async () => {
          await prepare(folders.entries)
          await writeDurably(pathOf(key), `${JSON.stringify(after, undefined, 2)}\n`)
        })
        return after
      }),
    async forget(key) {
      if ((await read(key)) === undefined) return false
      return alone(key, () =>
        writing({ path: folders.entries, variable }, async () => {
          await rm(pathOf(key), { force: true })
          await syncFolder(folders.entries)
          return true
        }),
      )
    },
    putAside: ({ place }) =>
      writing({ path: folders.entries, variable }, async () => {
        const kept = `${place}.broken-${new Date(clock.now()).toISOString().replaceAll(':', '')}`
        await rename(place, kept)
        await syncFolder(folders.entries)
        return kept
      }),
    list: () => list(''),
    findByToolUseId: (id) => list(entryFilePrefix(id)),

    readPlace(session) {
      const path = join(folders.places, placeFileName(session))
      return readingIn(folders.places, () => readPlaceFile(path, own), path)
    },
    writePlace: (session, place) =>
      writing({ path: folders.places, variable }, async () => {
        await prepare(folders.places)
        await writePlaceFile(join(folders.places, placeFileName(session)), session, place)
      }),

    lockCall: (key, wait) => lock(callLockName(key), wait),
    lockFinals: (session, wait) => lock(finalsLockName(session), wait),
  }
}

function notUnderstood({ place, reason }: JournalProblem, key: CallKey): HermError {
  return new HermError('failed', `the journal of ${key.toolUseId} cannot be understood: ${reason} (${place})`, {
    hint: `It may hold an accepted final. To accept its loss (the file is kept aside): herm-tools jobs forget ${shellWord(key.toolUseId)} --force`,
  })
}
