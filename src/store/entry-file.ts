import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { parseNested } from '../protocol/json-text.ts'
import { entryFileName } from './entry-path.ts'
import { type JournalEntry, type JournalListing, type JournalProblem, journalEntry } from './journal.ts'
import { assertOwn, type Ownership, unlessAbsent } from './own-place.ts'
import { errorCode } from './storage-failure.ts'

/** What a journal file says, or why it says nothing that can be trusted. */
export type EntryFile = { readonly entry: JournalEntry } | { readonly problem: JournalProblem }

/**
 * Undefined when there is no such file. Reads at once: a small file takes several times longer through a thread, and there may
 * be ten thousand. Throws the system's error when it cannot be read, and as assertOwn does.
 */
export function readEntryFile(path: string, own: Ownership): EntryFile | undefined {
  assertOwn([path], own)
  const text = unlessAbsent(() => textOf(path))
  if (text === undefined) return undefined
  if (text === FOLDER) return { problem: { place: path, reason: 'it is a folder' } }
  const parsed = parseEntry(text)
  if (typeof parsed === 'string') return { problem: { place: path, reason: parsed } }
  if (entryFileName(parsed) === basename(path)) return { entry: parsed }
  return { problem: { place: path, reason: `it tells of another call, ${parsed.toolUseId}` } }
}

/** All entries of a folder, of whose file names these are some, oldest change first. */
export function readEntryFiles(folder: string, names: readonly string[], own: Ownership): JournalListing {
  const wanted = names.filter((name) => name.endsWith('.json')).sort()
  const found = wanted.map((name) => readEntryFile(join(folder, name), own))
  const entries = found.flatMap((file) => (file !== undefined && 'entry' in file ? [file.entry] : []))
  const problems = found.flatMap((file) => (file !== undefined && 'problem' in file ? [file.problem] : []))
  return { entries: entries.sort((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt)), problems }
}

function textOf(path: string): string | typeof FOLDER {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'EISDIR') return FOLDER
    throw error
  }
}

const FOLDER = Symbol('a folder')

const anyVersion = z.looseObject({ version: z.number() })

/** The entry, or why the text is none. */
function parseEntry(text: string): JournalEntry | string {
  let json: unknown
  try {
    json = parseNested(text)
  } catch {
    return 'it is no JSON'
  }
  const versioned = anyVersion.safeParse(json)
  if (versioned.success && versioned.data.version > 1) {
    return `a later herm-tools wrote it (version ${versioned.data.version}); update herm-tools`
  }
  const parsed = journalEntry.safeParse(json)
  return parsed.success ? parsed.data : 'it is not an entry of the journal'
}
