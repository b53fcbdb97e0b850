import { lstat, stat } from 'node:fs/promises'
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
export async function assertOwn(paths: readonly string[], ownership: Ownership): Promise<void> {
  for (const path of paths) await assertOwnPath(path, ownership)
}

export function isForeign(owner: number, userId: number | undefined): boolean {
  return userId !== undefined && owner !== userId && owner !== ROOT
}

async function assertOwnPath(path: string, { userId, variable }: Ownership): Promise<void> {
  for (const [look, relation] of [
    [lstat, 'belongs to'],
    [stat, 'is a link to what belongs to'],
  ] as const) {
    const owner = await look(path).then(({ uid }) => uid, absentAsUndefined)
    if (owner === undefined || !isForeign(owner, userId)) continue
    throw new HermError('failed', `${path} ${relation} another user (uid ${owner})`, {
      hint: `Make it your own with chown, or set ${variable} to a folder of your own.`,
    })
  }
}

function absentAsUndefined(error: unknown): undefined {
  if (!isAbsent(error)) throw error
}
