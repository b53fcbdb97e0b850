type IdPrefix = 'evt' | 'ses' | 'custom_toolu'

/** Makes a new id, such as `evt_000001`. */
export type NewId = (prefix: IdPrefix) => string

/**
 * Counts up from 1 for each prefix, so that an output with ids can be read. Without a `mark` they are the same in every run;
 * with one, a tool-use id of this run is none of another's: whoever keeps a journal would take an old answer for the new.
 */
export function countingIds(mark = ''): NewId {
  const counts = new Map<IdPrefix, number>()
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    const number = String(count).padStart(6, '0')
    return prefix === 'custom_toolu' && mark !== '' ? `${prefix}_${mark}_${number}` : `${prefix}_${number}`
  }
}
