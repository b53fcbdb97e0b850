import * as z from 'zod/mini'
import { envelopeShape } from '../protocol/envelope-shape.ts'
import { sessionShape } from '../protocol/session.ts'
import { recordTypes } from './record-types.ts'
import type { Printable } from './reporter.ts'
import { tableRows } from './table.ts'

/** Something that stands on a line of its own with `--json`. */
interface LineType {
  /** The `type` of a record, or our word for an object of the service. */
  readonly name: string
  readonly meaning: string
  readonly shape: z.ZodMiniType
}

export const ownTypes: readonly LineType[] = recordTypes.map((shape) => ({
  name: shape.shape.type.def.values[0] as string,
  meaning: z.globalRegistry.get(shape)?.description ?? '',
  shape,
}))

export const lineTypes: readonly LineType[] = [
  ...ownTypes,
  { name: 'event', meaning: 'watch, events: one event, as the service wrote it', shape: envelopeShape },
  { name: 'session', meaning: 'sessions: one session, as the service wrote it', shape: sessionShape },
]

/** `width` in columns, for a person. */
export function typeTable(types: readonly LineType[], width: number): Printable[] {
  return tableRows(types, {
    record: ({ name, meaning }) => ({ type: 'herm_tools.record_type', name, meaning }),
    columns: [
      { title: 'RECORD', cell: ({ name }) => name },
      { title: 'MEANING', cell: ({ meaning }) => meaning },
    ],
    width,
  })
}

/** The JSON Schema of one type of line. */
export function schemaOf(type: LineType): Printable {
  return document({ $schema: DIALECT, ...definition(type) })
}

/** One JSON Schema for every line, with the types as its definitions. */
export function schemaOfAll(): Printable {
  return document({
    $schema: DIALECT,
    title: 'A line that herm-tools prints with --json',
    anyOf: lineTypes.map(({ name }) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(lineTypes.map((type) => [type.name, definition(type)])),
  })
}

/** Within a major version fields are added, so the schema takes fields that this version does not know. */
function definition({ name, meaning, shape }: LineType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return { title: name, description: meaning, ...schema }
}

function document(schema: Record<string, unknown>): Printable {
  return { json: JSON.stringify(schema), text: () => JSON.stringify(schema, undefined, 2) }
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
