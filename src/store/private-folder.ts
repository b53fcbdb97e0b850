import { chmod, mkdir, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { HermError } from '../errors.ts'
import { errorCode } from './storage-failure.ts'

/** Read, write and enter for the owner; nothing for anybody else. */
const FOLDER_MODE = 0o700
/** Any right for group or others. */
const RIGHTS_OF_OTHERS = 0o077
/** What group or others need in order to put something else in the place of what is there. */
const WRITING_BY_OTHERS = 0o022
const WRITING_BY_ANYBODY = 0o002
/** A folder that is meant to be shared, such as /tmp: somebody chose it, and closing it would break others. */
const STICKY = 0o1000

/** Whether people other than the owner have any right. Windows has no such bits: false there. */
export function isOpenToOthers(mode: number): boolean {
  return platform() !== 'win32' && (mode & RIGHTS_OF_OTHERS) !== 0
}

/** Whether others may put something in the place of what is there; in a shared folder such as /tmp they may not. */
export function isWritableByOthers(mode: number): boolean {
  return platform() !== 'win32' && (mode & WRITING_BY_OTHERS) !== 0 && (mode & STICKY) === 0
}

/**
 * Makes the folder, with parents, for its owner alone; closes one that is open to others, with a warning. Throws HermError
 * `failed` for one that anybody may write to and that cannot be closed.
 */
export async function ensurePrivateFolder(path: string, onWarning: (message: string) => void): Promise<void> {
  await close(path, RIGHTS_OF_OTHERS, onWarning)
}

/** The same for a folder that others may look into, such as one of a project, but in which they may not replace things. */
export async function ensureOthersDoNotWrite(path: string, onWarning: (message: string) => void): Promise<void> {
  await close(path, WRITING_BY_OTHERS, onWarning)
}

async function close(path: string, rights: number, onWarning: (message: string) => void): Promise<void> {
  await makeFolder(path)
  const { mode } = await stat(path)
  if (platform() === 'win32' || (mode & rights) === 0 || (mode & STICKY) !== 0) return
  const was = `${path} was open to other users (mode ${(mode & 0o777).toString(8)})`
  const closed = mode & 0o777 & ~rights
  const isClosed = await chmod(path, closed).then(
    () => true,
    () => false,
  )
  if (isClosed) return onWarning(`${was}; it is now closed to them`)
  const advice = `chmod ${closed.toString(8)} ${path}`
  if ((mode & WRITING_BY_ANYBODY) === 0) return onWarning(`${was} and could not be closed; run: ${advice}`)
  throw new HermError('failed', `anybody may write to ${path}, and it could not be closed`, {
    hint: `Have its owner run ${advice}, or name a folder of your own.`,
  })
}

/**
 * Makes a folder and what is missing above it. Node.js does so itself, but tries for ever where the system says that a folder
 * is missing that is there, as it does of whatever is to be made in /proc.
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path)
  } catch (error) {
    const above = dirname(path)
    if (errorCode(error) !== 'ENOENT' || above === path) throw error
    await makeFolder(above)
    await makeOne(path)
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, FOLDER_MODE)
  } catch (error) {
    const isThere = errorCode(error) !== 'ENOENT' && (await stat(path).catch(() => undefined))?.isDirectory()
    if (!isThere) throw error
  }
}
