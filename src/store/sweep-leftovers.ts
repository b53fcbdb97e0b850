import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What killed processes leave: files half written, locks prepared and not claimed. */
const LEFTOVER_ENDS = ['.tmp', '.claim']
/** Far longer than anybody works with one of them, and than the clocks of machines that share a folder differ. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000

/** Removes old leftovers of the names in a folder; `now` in ms since the epoch. Failure is no matter: the next process tries again. */
export async function sweepLeftovers(folder: string, names: readonly string[], now: number): Promise<void> {
  for (const name of names.filter(isLeftover)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || found.ctimeMs > now - LEFTOVER_AGE_MS) continue
    await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

function isLeftover(name: string): boolean {
  return LEFTOVER_ENDS.some((end) => name.endsWith(end))
}
