import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import lockfile from 'proper-lockfile'
import type { Clock } from '../clock.ts'
import { HermError } from '../errors.ts'
import { endLock, isOwnedBy, type LockOwner, lockFolderFs } from './lock-folder.ts'
import type { ProcessTable } from './process-table.ts'
import { errorCode } from './storage-failure.ts'

/** How often a holder gives a sign of life. */
const HEARTBEAT_MS = 1500

export interface Lock {
  /** Throws HermError `failed` when the lock is no longer ours. To be asked right before the deed that it guards. */
  assertHeld(): Promise<void>
  /** May be called twice. Never rejects: what cannot be removed is taken over once this process is gone. */
  release(): Promise<void>
}

export interface HoldLockOptions {
  /** Where the lock stands while it is held; its folder must exist. */
  readonly path: string
  /** What the holder is doing, shown to others who wait, such as `complete toolu_1`. */
  readonly label: string
  readonly clock: Clock
  readonly processes: ProcessTable
}

/** Takes the lock at the path; undefined when it is held. Throws the system's error when its folder cannot be written. */
export async function holdLock(options: HoldLockOptions): Promise<Lock | undefined> {
  const { path, clock, processes, label } = options
  const owner: LockOwner = {
    version: 1,
    token: randomUUID(),
    ...processes.self,
    host: processes.host,
    takenAt: new Date(clock.now()).toISOString(),
    label,
  }
  let compromised: Error | undefined
  try {
    const unlock = await lockfile.lock(path, {
      lockfilePath: path,
      realpath: false,
      fs: lockFolderFs(owner),
      update: HEARTBEAT_MS,
      // The library judges by age alone, and would rob a holder that was stopped or suspended.
      stale: Number.POSITIVE_INFINITY,
      onCompromised: (error) => {
        compromised = error
      },
    })
    let released: Promise<void> | undefined
    return {
      async assertHeld() {
        if (compromised === undefined && released === undefined && isOwnedBy(path, owner.token)) return
        throw new HermError('failed', `the lock ${basename(path)} was lost to another process`, {
          hint: 'Run the same command again; it looks at what happened before it sends.',
          cause: compromised,
        })
      },
      release() {
        // Once compromised, the library has forgotten the lock, which may still stand in our name.
        released ??= unlock()
          .catch(() => void endLock(path, owner.token))
          .catch(() => undefined)
        return released
      },
    }
  } catch (error) {
    if (errorCode(error) === 'ELOCKED') return undefined
    throw error
  }
}
