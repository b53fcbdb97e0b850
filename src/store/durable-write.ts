import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname } from 'node:path'

const FILE_MODE = 0o600

/**
 * Replaces a file as a whole: after a crash at any point it holds the old text or the new, and the new once this resolves.
 * The library `atomically`, with which `conf` writes too, does the same, and is not used because loading it makes every
 * SIGINT and SIGTERM arrive twice (its exit hook sends the signal again), and a write cut short by a full disk is renamed
 * into place.
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeSynced(temporary, text)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Makes a rename or removal in the folder durable. Windows cannot open a folder, and journals such changes itself. */
export async function syncFolder(path: string): Promise<void> {
  if (platform() === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  // `wx` never follows a link that somebody else put there.
  const file = await open(path, 'wx', FILE_MODE)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
