import { excerpt, firstString, isObject } from './json-text.ts'

export interface ErrorBody {
  /** The service's code, such as `invalid_state`. */
  readonly code: string | undefined
  /** Its words, on one line. */
  readonly message: string | undefined
}

/**
 * Assumed: `{error:{code, message}}`. Tolerated: `{error:{type, message}}`, `{code, message}`, `{error:"code", message}`,
 * and text, HTML or other JSON, of which the beginning is the message. Never throws.
 */
export function decodeErrorBody(body: string): ErrorBody {
  if (body.trim() === '') return { code: undefined, message: undefined }
  const parsed = parseLeniently(body)
  if (!isObject(parsed)) return { code: undefined, message: excerpt(withoutTags(body)) }
  const inner = isObject(parsed.error) ? parsed.error : {}
  const code = firstString(inner.code, inner.type, parsed.error, parsed.code, parsed.type)
  const message = firstString(inner.message, parsed.message) ?? (code === undefined ? body : undefined)
  return { code, message: message === undefined ? undefined : excerpt(message) }
}

function parseLeniently(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The words of an HTML page, without its styles and tags. Linear in time, unclosed styles and tags included. */
function withoutTags(text: string): string {
  return text
    .replace(/<(style|script)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}
