type IdPrefix = 'evt' | 'ses' | 'custom_toolu'

/** Makes a new id, such as `evt_000001`. */
export type NewId = (prefix: IdPrefix) => string

/** Counts up from 1 for each prefix: ids are the same in every run, and an output that holds them can be read. */
export function countingIds(): NewId {
  const counts = new Map<IdPrefix, number>()
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    return `${prefix}_${String(count).padStart(6, '0')}`
  }
}
