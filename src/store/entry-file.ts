import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { parseNested } from '../protocol/json-text.ts'
import { entryFileName } from './entry-path.ts'
import { type JournalEntry, type JournalListing, type JournalProblem, journalEntry } from './journal.ts'
import { assertOwn, type Ownership } from './own-place.ts'
import { isAbsent } from './storage-failure.ts'

/** What a journal file says, or why it says nothing that can be trusted. */
export type EntryFile = { readonly entry: JournalEntry } | { readonly problem: JournalProblem }

/** Undefined when there is no such file. Throws the system's error when it cannot be read, and as assertOwn does. */
export async function readEntryFile(path: string, own: Ownership): Promise<EntryFile | undefined> {
  await assertOwn([path], own)
  const text = await readFile(path, 'utf8').catch((error) => {
    if (isAbsent(error)) return undefined
    throw error
  })
  if (text === undefined) return undefined
  const parsed = parseEntry(text)
  if (typeof parsed === 'string') return { problem: { place: path, reason: parsed } }
  if (entryFileName(parsed) === basename(path)) return { entry: parsed }
  return { problem: { place: path, reason: `it tells of another call, ${parsed.toolUseId}` } }
}

/** All entries of a folder whose file name begins with the prefix, oldest change first. */
export async function readEntryFolder(folder: string, own: Ownership, prefix = ''): Promise<JournalListing> {
  const names = await readdir(folder).catch((error) => {
    if (isAbsent(error)) return []
    throw error
  })
  const entries: JournalEntry[] = []
  const problems: JournalProblem[] = []
  for (const name of names.filter((name) => name.startsWith(prefix) && name.endsWith('.json')).sort()) {
    const found = await readEntryFile(join(folder, name), own)
    if (found === undefined) continue
    if ('entry' in found) entries.push(found.entry)
    else problems.push(found.problem)
  }
  return { entries: entries.sort((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt)), problems }
}

/** The entry, or why the text is none. */
function parseEntry(text: string): JournalEntry | string {
  let json: unknown
  try {
    json = parseNested(text)
  } catch {
    return 'it is no JSON'
  }
  const versioned = z.looseObject({ version: z.number() }).safeParse(json)
  if (versioned.success && versioned.data.version > 1) {
    return `a later herm-tools wrote it (version ${versioned.data.version}); update herm-tools`
  }
  const parsed = journalEntry.safeParse(json)
  return parsed.success ? parsed.data : z.prettifyError(parsed.error).replaceAll('\n', ' ')
}
