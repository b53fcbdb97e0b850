import { chmod, mkdir, stat } from 'node:fs/promises'
import { platform } from 'node:os'

/** Read, write and enter for the owner; nothing for anybody else. */
const FOLDER_MODE = 0o700
/** Any right for group or others. */
const RIGHTS_OF_OTHERS = 0o077
/** A folder that is meant to be shared, such as /tmp: somebody chose it, and closing it would break others. */
const STICKY = 0o1000

/** Whether people other than the owner have any right. Windows has no such bits: false there. */
export function isOpenToOthers(mode: number): boolean {
  return platform() !== 'win32' && (mode & RIGHTS_OF_OTHERS) !== 0
}

/** Makes the folder, with parents, for its owner alone; closes one that is open to others, with a warning. */
export async function ensurePrivateFolder(path: string, onWarning: (message: string) => void): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE })
  const { mode } = await stat(path)
  if (!isOpenToOthers(mode) || (mode & STICKY) !== 0) return
  const was = `${path} was open to other users (mode ${(mode & 0o777).toString(8)})`
  await chmod(path, FOLDER_MODE).then(
    () => onWarning(`${was}; it is now closed to them`),
    () => onWarning(`${was} and could not be closed; run: chmod 700 ${path}`),
  )
}
