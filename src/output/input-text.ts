import { isObject } from '../protocol/json-text.ts'
import { oneLine } from './visible-text.ts'

/** The input of a call for a person to recognise it by, on one line: `scenes: 3, title: A boat at sea`. */
export function inputText(input: unknown): string {
  if (!isObject(input)) return valueText(input)
  const fields = Object.entries(input).map(([name, value]) => `${oneLine(name)}: ${valueText(value)}`)
  return fields.join(', ').slice(0, MAX_CHARS)
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return oneLine(text.slice(0, MAX_CHARS))
}

/** More than any screen has room for on one line. */
const MAX_CHARS = 1_000
