import * as z from 'zod/mini'
import { lineTypes } from '../../src/output/record-schema.ts'

const shapes = new Map(lineTypes.map(({ name, shape }) => [name, shape]))

/** Throws when a line of output is a record of the tool that is not as its shape says: a field too many, too few or of another kind. */
export function assertRecordShapes(output: string): void {
  for (const line of output.split('\n')) {
    const record = recordOn(line)
    if (record === undefined) continue
    const shape = shapes.get(record.type)
    if (shape === undefined) throw new Error(`src/output/record-types.ts has no ${record.type}: ${line}`)
    const parsed = shape.safeParse(record)
    if (!parsed.success) throw new Error(`not as its shape says: ${line}\n${z.prettifyError(parsed.error)}`)
  }
}

function recordOn(line: string): { type: string } | undefined {
  if (!line.startsWith('{') || !line.includes('"herm_tools.')) return undefined
  try {
    const value = JSON.parse(line)
    return String(value.type).startsWith('herm_tools.') ? value : undefined
  } catch {
    // The program was killed in the middle of a line.
    return undefined
  }
}
