import { HermError } from '../errors.ts'
import { decodeEvent, type RawEvent } from './envelope.ts'
import { jsonElements, valueOffset } from './json-elements.ts'
import { excerpt, firstString, isObject, parseJson } from './json-text.ts'

export interface ListBody {
  /** The JSON text of each element, as the service wrote it. */
  readonly elements: string[]
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined
}

export interface EventPage {
  readonly events: RawEvent[]
  readonly nextCursor: string | undefined
}

/** One page of a session's history, in the order of the page. Throws `failed` when the body is no list of envelopes. */
export function decodeEventPage(body: string): EventPage {
  const { elements, nextCursor } = decodeListBody(body, 'the event history')
  return { events: elements.map(decodeListed), nextCursor }
}

/**
 * Assumed: `{data:[…], nextCursor}`. Tolerated: `events` for `data`, `next_cursor` or `nextPage` for `nextCursor`
 * (null, "" or missing means the last page), and a bare array.
 */
export function decodeListBody(body: string, what: string): ListBody {
  const parsed = parseJson(body, what)
  if (Array.isArray(parsed)) return { elements: jsonElements(body, body.indexOf('[')), nextCursor: undefined }
  const list = isObject(parsed) ? parsed : {}
  const key = ['data', 'events'].find((name) => Array.isArray(list[name]))
  const start = key === undefined ? undefined : valueOffset(body, key)
  if (start === undefined) {
    throw new HermError('failed', `${what} has no list in it: ${excerpt(body)}`, {
      hint: 'Check that the base URL is that of the Herm API.',
    })
  }
  return {
    elements: jsonElements(body, start),
    nextCursor: firstString(list.nextCursor, list.next_cursor, list.nextPage),
  }
}

function decodeListed(element: string): RawEvent {
  const event = decodeEvent(element)
  if (event !== undefined) return event
  throw new HermError('failed', `the event history holds something that is no event: ${excerpt(element)}`, {
    hint: 'Run again with --debug, and report it to the service.',
  })
}
