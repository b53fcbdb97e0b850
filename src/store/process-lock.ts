import { basename } from 'node:path'
import type { Clock } from '../clock.ts'
import { HermError } from '../errors.ts'
import { type HoldLockOptions, holdLock, type Lock } from './hold-lock.ts'
import { endLock, type LockOwner, readStandingLock, type StandingLock } from './lock-folder.ts'
import type { ProcessTable } from './process-table.ts'

export type { Lock } from './hold-lock.ts'

/** A holder that cannot be asked after, on another machine, counts as gone after three missed heartbeats and a bit. */
const SILENCE_MS = 5000
/** The pause between two looks at a lock that is held, doubled from the first to the last. */
const FIRST_PAUSE_MS = 5
const LAST_PAUSE_MS = 100

/** How to wait for a lock, and what to tell those who wait for it later. */
export interface LockWait extends Pick<HoldLockOptions, 'label'> {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Called once, when the lock turns out to be held; undefined when it is not known by whom. */
  readonly onWait?: ((owner: LockOwner | undefined) => void) | undefined
}

export interface ProcessLockOptions extends LockWait, HoldLockOptions {}

/**
 * A lock among all processes that share the folder. The lock of a holder that is gone is taken over at once; a holder that
 * is alive on this machine keeps it, stopped or slow as it may be; one on another machine loses it when it is silent for
 * 5 s. Throws HermError `timeout`, naming the holder, or the signal's reason, or the file system's error.
 */
export async function acquireLock(options: ProcessLockOptions): Promise<Lock> {
  const { path, clock, processes, signal } = options
  const endsAt = clock.elapsed() + options.timeoutMs
  const isSilent = silenceWatch(clock)
  let told = false
  for (let look = 0; ; look++) {
    signal?.throwIfAborted()
    const lock = await holdLock(options)
    if (lock !== undefined) return lock

    const standing = await readStandingLock(path)
    if (standing !== undefined && isGone(standing, processes, isSilent)) {
      if (endLock(path, standing.token)) continue
    } else if (standing !== undefined && !told) {
      told = true
      options.onWait?.(standing.owner)
    }
    if (clock.elapsed() >= endsAt) throw heldByAnother(path, standing?.owner)
    await clock.sleep(pauseMs(look), signal)
  }
}

function isGone(standing: StandingLock, processes: ProcessTable, isSilent: (lock: StandingLock) => boolean): boolean {
  return standing.owner?.host === processes.host ? !processes.isAlive(standing.owner) : isSilent(standing)
}

/** Watches for signs of life by the watcher's own clock, so that neither skew between machines nor a suspend matters. */
function silenceWatch(clock: Clock): (lock: StandingLock) => boolean {
  let lastSign: string | undefined
  let since = 0
  return ({ token, heartbeat }) => {
    const sign = `${token} ${heartbeat}`
    if (sign !== lastSign) {
      lastSign = sign
      since = clock.elapsed()
    }
    return clock.elapsed() - since > SILENCE_MS
  }
}

/** With jitter, so that many who wait do not look in step. */
function pauseMs(look: number): number {
  return Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(look, 10)) * (0.5 + Math.random())
}

function heldByAnother(path: string, owner: LockOwner | undefined): HermError {
  const holder = owner === undefined ? 'an unknown process' : `process ${owner.pid} (${owner.label})`
  return new HermError(
    'timeout',
    `${holder} holds the lock ${basename(path)}${owner ? ` since ${owner.takenAt}` : ''}`,
    {
      hint: `Let it end, or stop it; if no such process runs herm-tools, remove ${path}`,
    },
  )
}
