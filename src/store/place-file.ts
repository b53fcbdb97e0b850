import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { HermError } from '../errors.ts'
import type { Place } from '../protocol/timeline.ts'
import { writeDurably } from './durable-write.ts'
import type { SessionKey } from './journal.ts'
import { assertOwn, type Ownership } from './own-place.ts'
import { isAbsent } from './storage-failure.ts'

const placeFile = z.object({
  version: z.literal(1),
  sequence: z.number().check(z.int()),
  runningResults: z.array(z.string()),
  oldest: z.optional(z.object({ sequence: z.number(), id: z.optional(z.string()), createdAt: z.optional(z.string()) })),
})

/** Throws HermError `failed` for a file that makes no sense: to go on from anywhere else could pass over events. */
export async function readPlaceFile(path: string, own: Ownership): Promise<Place | undefined> {
  assertOwn([path], own)
  try {
    const { sequence, runningResults, oldest } = placeFile.parse(JSON.parse(await readFile(path, 'utf8')))
    return { sequence, runningResults, oldest }
  } catch (cause) {
    if (isAbsent(cause)) return undefined
    if (cause instanceof Error && 'errno' in cause) throw cause
    throw new HermError('failed', `the place to resume from, in ${path}, cannot be understood`, {
      hint: 'Run it without --resume, and remove the file to begin anew.',
      cause,
    })
  }
}

export async function writePlaceFile(path: string, session: SessionKey, place: Place): Promise<void> {
  const { baseUrl, sessionId } = session
  await writeDurably(path, JSON.stringify({ version: 1, baseUrl, sessionId, ...place }))
}
