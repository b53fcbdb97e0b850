/**
 * Cuts the elements of an array out of a JSON text as they stand there. `JSON.parse` followed by `JSON.stringify`
 * would rewrite `1.0`, integers over 2^53, escapes and the order of number-like keys.
 *
 * `start` is the offset of the array's `[`. The text must already be known to be valid JSON.
 */
export function jsonElements(json: string, start: number): string[] {
  const elements: string[] = []
  let at = skipSpace(json, start + 1)
  while (json[at] !== ']') {
    const end = skipValue(json, at)
    elements.push(json.slice(at, end))
    at = skipSpace(json, end)
    if (json[at] === ',') at = skipSpace(json, at + 1)
  }
  return elements
}

/** The offset of the value of top-level `key` in the JSON text of an object; undefined when there is none. The last of equal keys counts, as in `JSON.parse`. */
export function valueOffset(json: string, key: string): number | undefined {
  let found: number | undefined
  let at = skipSpace(json, skipSpace(json, 0) + 1)
  while (json[at] === '"') {
    const keyEnd = skipString(json, at)
    const value = skipSpace(json, skipSpace(json, keyEnd) + 1)
    if (JSON.parse(json.slice(at, keyEnd)) === key) found = value
    at = skipSpace(json, skipValue(json, value))
    if (json[at] === ',') at = skipSpace(json, at + 1)
  }
  return found
}

/** How deeply arrays and objects are nested in a JSON text that is valid. */
export function nestingDepth(json: string): number {
  let deepest = 0
  let depth = 0
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) {
      at = skipString(json, at)
      continue
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) deepest = Math.max(deepest, ++depth)
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
    at++
  }
  return deepest
}

function skipValue(json: string, start: number): number {
  const first = json[start]
  if (first === '"') return skipString(json, start)
  if (first === '{' || first === '[') return skipNested(json, start)
  let at = start
  while (at < json.length && !',]} \t\r\n'.includes(json[at] as string)) at++
  return at
}

function skipNested(json: string, start: number): number {
  let depth = 0
  let at = start
  do {
    const code = json.charCodeAt(at)
    if (code === QUOTE) {
      at = skipString(json, at)
      continue
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
    at++
  } while (depth > 0)
  return at
}

/** From an opening quote to just past its closing one, which is the first that an even number of backslashes precedes. */
function skipString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}

function skipSpace(json: string, start: number): number {
  let at = start
  while (json.charCodeAt(at) <= SPACE) at++
  return at
}

const SPACE = 0x20
const QUOTE = 0x22
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
