import { HermError } from '../errors.ts'
import { nestingDepth } from './json-elements.ts'

export type JsonObject = Record<string, unknown>

/**
 * `JSON.parse` for values that are compared and written again: it takes any depth, while they exhaust the stack at some
 * thousands of levels. Throws SyntaxError, and RangeError for what is nested too deeply.
 */
export function parseNested(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (text.length <= 2 * MAX_DEPTH || nestingDepth(text) <= MAX_DEPTH) return value
  throw new RangeError(`more than ${MAX_DEPTH} levels of nesting`)
}

/** Parses a body that must be JSON. `what` names it in the error: kind `failed`, saying how the body begins. */
export function parseJson(body: string, what: string): unknown {
  try {
    return parseNested(body)
  } catch (cause) {
    const fault = cause instanceof RangeError ? 'is nested too deeply' : 'is not JSON'
    throw new HermError('failed', `${what} ${fault}: ${excerpt(body)}`, {
      hint: 'Check that the base URL is that of the Herm API.',
      cause,
    })
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first of the values that is a non-empty string. */
export function firstString(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '')
}

/** JSON holds line breaks only between its tokens, never raw inside a string, so removing them changes no value. */
export function oneLine(json: string): string {
  const text = json.trim()
  return text.includes('\n') || text.includes('\r') ? text.replace(/[\r\n]+\s*/g, '') : text
}

/** How a body begins, on one line without control characters, for an error message. */
export function excerpt(body: string): string {
  const line = body
    .trimStart()
    .slice(0, EXCERPT_CHARS * 2)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line === '') return '(empty)'
  return line.length > EXCERPT_CHARS ? `${line.slice(0, EXCERPT_CHARS)}…` : line
}

/** Deeper than the input of any tool, and far from what the stack takes. */
const MAX_DEPTH = 500

/** Long enough to recognise a proxy's error page, short enough for one line of a terminal. */
const EXCERPT_CHARS = 120
