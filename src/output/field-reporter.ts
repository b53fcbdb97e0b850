import { HermError } from '../errors.ts'
import type { Printable, Reporter } from './reporter.ts'
import { valueText } from './value-text.ts'
import { visible } from './visible-text.ts'

export interface FieldReporter extends Reporter {
  /** Throws `failed` when records were printed, and none had the field: it is a slip of the pen, or of another record. */
  checkFound(): void
}

/**
 * Prints one value of each record in place of the record, for `--field`: a string as it is, null as an empty line, all
 * else as JSON. A record without the field prints nothing. `path` is the names from the record down to the value; an
 * element of a list is named by its number, from 0. `reporter` must be one for JSON.
 */
export function fieldReporter(
  reporter: Reporter,
  { path, isTerminal }: { path: readonly string[]; isTerminal: boolean },
): FieldReporter {
  let isFound = false
  let missed: Missed | undefined
  return {
    ...reporter,
    print(datum) {
      const found = valueAt(path, parsed(datum))
      if ('value' in found) {
        isFound = true
        const line = valueText(found.value)
        reporter.print({ ...datum, json: isTerminal ? visible(line) : line })
      } else missed = found
    },
    checkFound() {
      if (isFound || missed === undefined) return
      const { at, names } = missed
      const place = at.length === 0 ? 'The record' : at.join('.')
      throw new HermError('failed', `the command has run, but nothing that it printed has a field ${path.join('.')}`, {
        hint: names.length === 0 ? `${place} has no fields.` : `${place} has: ${listed(names)}.`,
      })
    },
  }
}

interface Missed {
  /** How far the path could be gone. */
  readonly at: readonly string[]
  /** What there is to go on to. */
  readonly names: readonly string[]
}

function valueAt(path: readonly string[], record: unknown): { value: unknown } | Missed {
  let value = record
  for (const [depth, name] of path.entries()) {
    if (!isContainer(value)) return { at: path.slice(0, depth), names: [] }
    if (!Object.hasOwn(value, name)) return { at: path.slice(0, depth), names: Object.keys(value) }
    value = value[name]
  }
  return { value }
}

function parsed({ json }: Printable): unknown {
  return typeof json === 'string' ? JSON.parse(json) : json
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function listed(names: readonly string[]): string {
  return names.length > SHOWN_NAMES ? `${names.slice(0, SHOWN_NAMES).join(', ')}, …` : names.join(', ')
}

/** More than any record of the tool has; an input of a tool may have thousands. */
const SHOWN_NAMES = 20
