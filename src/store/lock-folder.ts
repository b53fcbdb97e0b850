import { mkdirSync, readFileSync, renameSync, rmSync, stat, utimes, writeFileSync } from 'node:fs'
import { readFile, stat as statOf } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { errorCode, isAbsent } from './storage-failure.ts'

/**
 * A lock on disk: a folder that holds the record of its owner. It changes hands by two moves, each of them one rename of
 * a folder, which the file system does as a whole or not at all:
 *
 * - *claim*: a folder prepared with its record is renamed to the lock's place. It fails while another, which is never
 *   empty, stands there; so a lock is never seen without its owner.
 * - *end*: the lock's folder is renamed to a name made of its token. A rename onto that name fails ever after, so a token
 *   is ended once: whoever judged an owner dead and was slow to act cannot remove the lock of the owner after it.
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
  /** Undefined when the record is missing or makes no sense: not of our making. */
  readonly owner: LockOwner | undefined
  /** Changes with each sign of life, in ms; compare for equality only, since it is the clock of the holder. */
  readonly heartbeat: number
}

const RECORD = 'owner.json'

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
  const owner = await readFile(join(path, RECORD), 'utf8').then(parseOwner, () => undefined)
  const found = await statOf(path).catch((error) => {
    if (isAbsent(error)) return undefined
    throw error
  })
  return found && { owner, heartbeat: found.mtimeMs }
}

/** Ends the lock with this token; false when it was ended before, by anybody. What is left of it stays until it is swept. */
export function endLock(path: string, token: string): boolean {
  try {
    renameSync(path, endedName(path, token))
    return true
  } catch (error) {
    if (isAbsent(error) || isTaken(error)) return false
    throw error
  }
}

/** Ends the lock with this token and leaves nothing of it; does nothing when another stands there. */
export function removeOwnLock(path: string, token: string): void {
  if (!isOwnedBy(path, token)) return
  if (endLock(path, token)) rmSync(endedName(path, token), { recursive: true, force: true })
}

/** Whether the lock that stands at this moment has this token. */
export function isOwnedBy(path: string, token: string): boolean {
  return readOwner(path)?.token === token
}

/**
 * The file system as proper-lockfile is to see it. The library makes a lock with `mkdir` and removes it with `rmdir`; here
 * these are claim and end. Its own pair would remove a lock that was checked and changed hands since, also at exit.
 */
export function lockFolderFs(owner: LockOwner) {
  return {
    mkdir: (path: string, done: Done) => callBack(done, () => claim(path, owner)),
    rmdir: (path: string, done: Done) => callBack(done, () => removeOwnLock(path, owner.token)),
    rmdirSync: (path: string) => removeOwnLock(path, owner.token),
    stat,
    utimes,
  }
}

type Done = (error: unknown) => void

function callBack(done: Done, act: () => void): void {
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
    writeFileSync(join(prepared, RECORD), JSON.stringify(owner), { mode: 0o600 })
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

function endedName(path: string, token: string): string {
  return `${path}.${token}.ended`
}

function readOwner(path: string): LockOwner | undefined {
  try {
    return parseOwner(readFileSync(join(path, RECORD), 'utf8'))
  } catch {
    return undefined
  }
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    return ownerRecord.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
