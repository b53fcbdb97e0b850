import { HermError } from '../errors.ts'

/**
 * An id as one part of an address. Throws `usage` for an id that none can be made of: nothing, what a URL takes for "this
 * folder" or "the one above" even when it is escaped, and half a character.
 */
export function pathPart(id: string): string {
  if (id.trim() === '' || id === '.' || id === '..' || /\p{Surrogate}/u.test(id)) {
    throw new HermError('usage', `"${id}" is no id`, { hint: 'Give the id as the service shows it.' })
  }
  return encodeURIComponent(id)
}
