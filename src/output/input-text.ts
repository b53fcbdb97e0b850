import { isObject } from '../protocol/json-text.ts'
import { shortened } from './shortened.ts'
import { oneLine } from './visible-text.ts'

/** The input of a call for a person to recognise it by, on one line: `scenes: 3, title: A boat at sea`. */
export function inputText(input: unknown): string {
  if (!isObject(input)) return valueText(input)
  const fields = Object.entries(input).map(([name, value]) => `${oneLine(name)}: ${valueText(value)}`)
  return shortened(fields.join(', '), MAX_CHARS)
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return shortened(oneLine(text.slice(0, 2 * MAX_CHARS)), MAX_CHARS)
}

/** More than any screen has room for on one line. */
const MAX_CHARS = 1_000
