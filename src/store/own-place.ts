import { lstatSync, statSync } from 'node:fs'
import { HermError } from '../errors.ts'
import { isAbsent } from './storage-failure.ts'

/** What a user of the machine cannot be kept from, and need not be. */
const ROOT = 0

export interface Ownership {
  /** Of this process; undefined on Windows, where nothing is checked. */
  readonly userId: number | undefined
  /** The environment variable that puts the place elsewhere. */
  readonly variable: string
}

/**
 * Throws HermError `failed` when one of the folders or files belongs to another user than this process and root: it could send the key
 * to an address of that user's, or make up what was delivered. A link counts as what it is and as what it leads to: one's
 * own link to one's own folder is common and fine, while whoever made a link can make it lead elsewhere at any time.
 * To be asked before anything there is read or written. What is not there yet is fine.
 */
export function assertOwn(paths: readonly string[], ownership: Ownership): void {
  for (const path of paths) assertOwnPath(path, ownership)
}

export function isForeign(owner: number, userId: number | undefined): boolean {
  return userId !== undefined && owner !== userId && owner !== ROOT
}

function assertOwnPath(path: string, { userId, variable }: Ownership): void {
  const itself = unlessAbsent(() => lstatSync(path))
  const target = itself?.isSymbolicLink() ? unlessAbsent(() => statSync(path)) : undefined
  for (const [found, relation] of [
    [itself, 'belongs to'],
    [target, 'is a link to what belongs to'],
  ] as const) {
    if (found === undefined || !isForeign(found.uid, userId)) continue
    throw new HermError('failed', `${path} ${relation} another user (uid ${found.uid})`, {
      hint: `Make it your own with chown, or set ${variable} to a folder of your own.`,
    })
  }
}

/** What the look gives; undefined when there is nothing to look at. Throws what else goes wrong. */
export function unlessAbsent<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}
