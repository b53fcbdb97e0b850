/** Masks the API key in texts and errors that a person or a log may see. */
export interface Redactor {
  text(text: string): string
  /**
   * A copy of an error that came from a library: name, message, code, stack and causes, masked. Other fields stay
   * behind (undici keeps the bytes that it could not parse, and the service may have echoed the key in them).
   */
  error(error: unknown): Error
}

export function createRedactor(secret: string | undefined): Redactor {
  const forms = secret ? [...new Set([secret, encodeURIComponent(secret)])] : []
  const text = (value: string) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), value)

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

const MASK = '[key]'

/** Causes of causes to keep; more would be a cycle. */
const MAX_CAUSES = 5
