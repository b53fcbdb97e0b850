import { createHash } from 'node:crypto'
import { type CallKey, type SessionKey, withoutTrailingSlash } from './journal.ts'

/** Characters of an id that are shown in a file name, for people; its hash is what tells it from others. */
const READABLE_LENGTH = 40
/** Hex digits: 128 bits, beyond reach of a chosen clash. With the rest, a name stays under 130 characters. */
const HASH_LENGTH = 32

/**
 * Ids come from outside and never become a path as they are. A name is made of letters, digits, `_` and `-` alone, so it
 * cannot leave its folder; the hash keeps ids apart that differ in case, in length or in what was replaced; and the part
 * before the dot is never a word that Windows reserves (`con`, `nul`).
 */
export function entryFileName(key: CallKey): string {
  return `${entryFilePrefix(key.toolUseId)}${hash(withoutTrailingSlash(key.baseUrl), key.sessionId)}.json`
}

/** What the file names of all entries of a tool-use id begin with. */
export function entryFilePrefix(toolUseId: string): string {
  return `${readable(toolUseId)}-${hash(toolUseId)}-`
}

export function placeFileName(session: SessionKey): string {
  return `${sessionName(session)}.json`
}

export function callLockName(key: CallKey): string {
  return `call-${readable(key.toolUseId)}-${hash(withoutTrailingSlash(key.baseUrl), key.sessionId, key.toolUseId)}`
}

export function finalsLockName(session: SessionKey): string {
  return `finals-${sessionName(session)}`
}

/** The exclusion of a single update; apart from the call lock, which whoever updates usually holds already. */
export function entryLockName(key: CallKey): string {
  return `entry-${callLockName(key)}`
}

function sessionName(session: SessionKey): string {
  return `${readable(session.sessionId)}-${hash(withoutTrailingSlash(session.baseUrl), session.sessionId)}`
}

function readable(id: string): string {
  return id.slice(0, READABLE_LENGTH).replace(/[^A-Za-z0-9_-]/g, '_')
}

/** JSON keeps the parts apart whatever they hold. */
function hash(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, HASH_LENGTH)
}
