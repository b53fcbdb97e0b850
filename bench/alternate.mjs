/**
 * Runs every candidate once in each round, each time in another order, so that whatever the machine does meets all alike. A
 * round before the first, numbered 0, fills caches and does not count.
 *
 * @template T
 * @param {Record<string, (round: number) => Promise<T>>} candidates
 * @param {{ rounds: number }} options
 * @returns {Promise<Record<string, T[]>>} By candidate, what each counted round gave.
 */
export async function alternate(candidates, { rounds }) {
  const names = Object.keys(candidates)
  const samples = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]
      const sample = await candidates[name](round)
      if (round > 0) samples[name].push(sample)
    }
  }
  return samples
}
