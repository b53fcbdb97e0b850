import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { didYouMean } from './did-you-mean.ts'
import { helpWidth } from './help-format.ts'
import { helpText } from './help-text.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface SchemaInput extends GlobalOptions {
  readonly name: string | undefined
  readonly all?: boolean
}

export function schemaCommand(context: Context, run = runSchema): Command {
  return new Command('schema')
    .description('print the JSON Schema of what --json prints, or list the types of records')
    .summary('print the JSON Schema of what --json prints')
    .argument('[name]', 'a type of record, with or without "herm_tools."; or event, or session')
    .option('--all', 'one schema for all of them')
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools schema',
          'herm-tools schema result',
          'herm-tools schema --all --json > herm-tools.schema.json',
        ],
        exits: { done: 'printed', usage: 'there is no such type' },
        related: ['help output'],
      }),
    )
    .action((name: string | undefined, _options: unknown, self: Command) =>
      run(context, { ...self.optsWithGlobals<Omit<SchemaInput, 'name'>>(), name }),
    )
}

/** Prints a JSON document, on one line with `--json`; without a name, one `herm_tools.record_type` for each type. */
async function runSchema(context: Context, { name, all, ...options }: SchemaInput): Promise<void> {
  if (name !== undefined && all) {
    throw new HermError('usage', `${name} and --all exclude each other`, { hint: 'Leave one of them out.' })
  }
  await inWorkspace(context, options, async ({ reporter }) => {
    const { lineTypes, schemaOf, schemaOfAll, typeTable } = await import('../output/record-schema.ts')
    if (all) return reporter.print(schemaOfAll())
    if (name === undefined) {
      for (const row of typeTable(lineTypes, helpWidth(context.stdout))) reporter.print(row)
      return
    }
    const type = lineTypes.find((one) => one.name === name || one.name === `herm_tools.${name}`)
    if (type === undefined) throw noSuchType(name, lineTypes)
    reporter.print(schemaOf(type))
  })
}

function noSuchType(name: string, types: readonly { name: string }[]): HermError {
  const short = (text: string) => text.replace(/^herm_tools\./, '')
  const question = didYouMean(
    short(name),
    types.map((type) => short(type.name)),
  )
  return new HermError('usage', `there is no type of record "${name}"`, {
    hint: question ?? 'herm-tools schema lists them.',
  })
}
