import { once } from '../once.ts'

/** Masks the API key in texts and errors that a person or a log may see. */
export interface Redactor {
  text(text: string): string
  /**
   * A copy of an error that came from a library: name, message, code, stack and causes, masked. Other fields stay
   * behind (undici keeps the bytes that it could not parse, and the service may have echoed the key in them).
   */
  error(error: unknown): Error
}

/** `secrets` are API keys; one that is undefined or too short to be secret is not masked. */
export function createRedactor(...secrets: readonly (string | undefined)[]): Redactor {
  const known = secrets.filter(isSecret)
  const long = known.filter((secret) => secret.length > PATTERN_CHARS)
  const beginning = patternOf(known, BEGINNING_CHARS)
  const whole = once(() => patternOf(known, PATTERN_CHARS))
  const text = (value: string) => {
    const short = long.reduce((masked, secret) => masked.replaceAll(secret, MASK), value)
    return short.search(beginning) === -1 ? short : short.replace(whole(), MASK)
  }

  function copy(error: unknown, depth: number): Error {
    if (!(error instanceof Error)) return new Error(text(String(error)))
    const inner = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined)
    const masked = new Error(
      text(error.message),
      inner === undefined || depth === MAX_CAUSES ? undefined : { cause: copy(inner, depth + 1) },
    )
    masked.name = error.name
    if (error.stack !== undefined) masked.stack = text(error.stack)
    return 'code' in error && typeof error.code === 'string' ? Object.assign(masked, { code: error.code }) : masked
  }

  return { text, error: (error) => copy(error, 0) }
}

function isSecret(text: string | undefined): text is string {
  return text !== undefined && text.length >= SECRET_CHARS
}

/** Of so many characters of each secret; one that matches nowhere when there are none. */
function patternOf(secrets: readonly string[], length: number): RegExp {
  const spellings = secrets.map((secret) => spellingsOf(secret.slice(0, length)))
  return new RegExp(spellings.join('|') || NOWHERE, 'gi')
}

const NOWHERE = '(?!)'

/**
 * A pattern for a text in which each character may stand for itself, in capitals or not (a host name is in small
 * letters), or be escaped as in a URL, once or more, in JSON, or in HTML. Of a very long one this is said of the
 * beginning; the rest is masked where it stands as it is, and is of no use without the beginning.
 */
function spellingsOf(secret: string): string {
  const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0')
  const itself = (character: string) => `\\u${hexOf(character).padStart(4, '0')}`
  const beginning = secret
    .slice(0, SPELLED_CHARS)
    .split('')
    .map((character) => {
      const hex = hexOf(character)
      const html = `&#0{0,4}${character.charCodeAt(0)};|&#x0{0,4}${hex};`
      return `(?:\\\\{0,4}${itself(character)}|%(?:25){0,4}${hex}|\\\\{1,4}u${hex.padStart(4, '0')}|${html})`
    })
  const rest = secret.slice(SPELLED_CHARS).split('').map(itself)
  return `${beginning.join('')}(?:${rest.join('')})?`
}

/** Far longer than keys are; a pattern for some thousands is more than the engine takes. */
const SPELLED_CHARS = 256

/** The longest text that is put into a pattern at all; what is longer is masked as it stands before. */
const PATTERN_CHARS = 4_096

/** To make the pattern of a whole key takes 30 ms, as long as Node.js takes to start; few texts have even its beginning. */
const BEGINNING_CHARS = 4

/** Masking a shorter one, such as the `test` of an emulator, would hide words and no secret. */
const SECRET_CHARS = 8

const MASK = '[key]'

/** Causes of causes to keep; more would be a cycle. */
const MAX_CAUSES = 5
