import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, stat, unlinkSync, utimes, writeFileSync } from 'node:fs'
import { readdir, readFile, stat as statOf } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { errorCode, isAbsent } from './storage-failure.ts'

/**
 * A lock on disk: a folder that holds the record of its owner, a file named by the owner's token. It changes hands by two
 * moves, each of which the file system does as a whole or not at all:
 *
 * - *claim*: a folder prepared with its record is renamed to the lock's place. It fails while a folder that is not empty
 *   stands there; so a lock is never seen without its owner.
 * - *end*: the record is removed by its name, and the folder, which is then empty and no lock any more, after it. Whoever
 *   judged an owner gone and was slow to act finds no record of that name, and cannot end the lock of the owner after it.
 */
export interface LockOwner {
  readonly version: 1
  /** Random; names one holding of one lock. */
  readonly token: string
  readonly pid: number
  readonly host: string
  readonly startTime?: string | undefined
  /** ISO 8601. */
  readonly takenAt: string
  /** What the holder does, for the people who wait for it. */
  readonly label: string
}

/** What a waiting process sees of a lock that stands. */
export interface StandingLock {
  readonly token: string
  /** Undefined when the record is missing or makes no sense: not of our making. */
  readonly owner: LockOwner | undefined
  /** Changes with each sign of life, in ms; compare for equality only, since it is the clock of the holder. */
  readonly heartbeat: number
}

const ownerRecord: z.ZodMiniType<LockOwner> = z.object({
  version: z.literal(1),
  token: z.string(),
  pid: z.number(),
  host: z.string(),
  startTime: z.optional(z.string()),
  takenAt: z.string(),
  label: z.string(),
})

/** Undefined when no lock stands there. */
export async function readStandingLock(path: string): Promise<StandingLock | undefined> {
  try {
    const [token] = await readdir(path)
    if (token === undefined) return undefined
    const owner = await readFile(join(path, token), 'utf8').then(parseOwner, () => undefined)
    return { token, owner, heartbeat: (await statOf(path)).mtimeMs }
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** Ends the lock with this token; false when it was ended before, by anybody, whatever stands there now. */
export function endLock(path: string, token: string): boolean {
  try {
    unlinkSync(join(path, token))
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
  removeEnded(path)
  return true
}

/** Whether the lock that stands at this moment has this token. */
export function isOwnedBy(path: string, token: string): boolean {
  return existsSync(join(path, token))
}

/**
 * The file system as proper-lockfile is to see it. The library makes a lock with `mkdir` and removes it with `rmdir`; here
 * these are claim and end. Its own pair would remove a lock that was checked and changed hands since, also at exit.
 */
export function lockFolderFs(owner: LockOwner) {
  return {
    mkdir: (path: string, done: Done) => callBack(done, () => claim(path, owner)),
    rmdir: (path: string, done: Done) => callBack(done, () => endLock(path, owner.token)),
    rmdirSync: (path: string) => endLock(path, owner.token),
    stat,
    utimes,
  }
}

type Done = (error: unknown) => void

function callBack(done: Done, act: () => unknown): void {
  let failure: unknown = null
  try {
    act()
  } catch (error) {
    failure = error
  }
  done(failure)
}

function claim(path: string, owner: LockOwner): void {
  const prepared = `${path}.${owner.token}.claim`
  try {
    mkdirSync(prepared, { mode: 0o700 })
    writeFileSync(join(prepared, owner.token), JSON.stringify(owner), { mode: 0o600 })
    removeEnded(path)
    renameSync(prepared, path)
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true })
    throw isTaken(error) ? Object.assign(new Error(`${path} is taken`), { code: 'EEXIST' }) : error
  }
}

/** Whether a rename failed because a folder stands at the new name; Windows says EPERM. */
function isTaken(error: unknown): boolean {
  const codes = platform() === 'win32' ? ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'] : ['ENOTEMPTY', 'EEXIST']
  return codes.includes(errorCode(error) ?? '')
}

/** Removes the empty folder of a lock that was ended, and no other: also one whose ender died halfway. */
function removeEnded(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // It is gone, or there is a lock in it again.
  }
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    return ownerRecord.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
