import { decodeEvent, type RawEvent } from './envelope.ts'
import { jsonElements, valueOffset } from './json-elements.ts'
import { isObject } from './json-text.ts'

/**
 * The events that a `202` says were accepted or updated. Assumed: `{events:[envelope,…]}` in the order of the request.
 * Tolerated: `data` for `events`, a bare array, a bare envelope, and anything without an envelope in it, which gives an
 * empty list: the status alone says that the events were accepted, and history has their ids.
 * Undefined when the body is neither empty nor JSON: then not even the answer is known to be whole.
 */
export function decodeAccepted(body: string): RawEvent[] | undefined {
  if (body.trim() === '') return []
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return undefined
  }
  return acceptedElements(body, parsed)
    .map(decodeEvent)
    .filter((event) => event !== undefined)
}

function acceptedElements(body: string, parsed: unknown): string[] {
  if (Array.isArray(parsed)) return jsonElements(body, body.indexOf('['))
  if (!isObject(parsed)) return []
  const key = ['events', 'data'].find((name) => Array.isArray(parsed[name]))
  const start = key === undefined ? undefined : valueOffset(body, key)
  return start === undefined ? [body] : jsonElements(body, start)
}
