import { randomUUID } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { assertOwn, type Ownership } from './own-place.ts'
import { isAbsent } from './storage-failure.ts'

export interface Look {
  readonly mode: number
  readonly isFolder: boolean
}

/** What is at a path; undefined for nothing. Throws as assertOwn does, and the system's error. */
export async function lookAt(path: string, own: Ownership): Promise<Look | undefined> {
  assertOwn([path], own)
  try {
    const found = await stat(path)
    return { mode: found.mode, isFolder: found.isDirectory() }
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** Writes a file into the folder and removes it, which says more than its mode: a disk may be full or read-only. */
export async function tryWriting(folder: string): Promise<void> {
  // What a killed process leaves of this name is swept away later.
  const path = join(folder, `doctor-${randomUUID()}.tmp`)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile('A try of herm-tools doctor; it may be removed.\n')
    await file.sync()
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}
