import { parseArgs } from 'node:util'

/** What to run, from the arguments; ends the process with 2 when they are wrong. */
export function readOptions(args, comparisons) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  })
  const names = [...values.only, ...positionals]
  const known = comparisons.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) endWith(`There is no comparison ${unknown}, only: ${known.join(', ')}`)
  if (values.rounds !== undefined && !/^[1-9]\d*$/.test(values.rounds)) endWith('--rounds takes a number from 1.')
  return {
    chosen: names.length === 0 ? comparisons : comparisons.filter(({ name }) => names.includes(name)),
    rounds: values.rounds === undefined ? undefined : Number(values.rounds),
    quick: values.quick,
  }
}

function endWith(message) {
  console.error(message)
  process.exit(2)
}
