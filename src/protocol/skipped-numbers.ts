/** The sequence numbers that a timeline passed over, as ranges; the oldest are forgotten first. */
export function createSkippedNumbers() {
  const ranges: { from: number; to: number }[] = []
  return {
    add(from: number, to: number): void {
      if (to < from) return
      ranges.push({ from, to })
      if (ranges.length > MAX_SKIPPED_RANGES) ranges.shift()
    },
    /** True when the number was among them; it no longer is. */
    remove(number: number): boolean {
      const index = ranges.findIndex(({ from, to }) => from <= number && number <= to)
      const range = ranges[index]
      if (range === undefined) return false
      const parts = [
        { from: range.from, to: number - 1 },
        { from: number + 1, to: range.to },
      ]
      ranges.splice(index, 1, ...parts.filter(({ from, to }) => from <= to))
      return true
    },
  }
}

/** An event that turns up after more holes than this is taken for a repetition. */
const MAX_SKIPPED_RANGES = 1_000
