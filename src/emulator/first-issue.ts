import { en } from 'zod/locales'
import type * as z from 'zod/mini'

/** zod/mini brings no words of its own: give this to a `parse` whose issues a person will read. */
export const inWords = { error: en().localeError }

export interface FirstIssue {
  /** Where in the data, such as `events[0].content[2].text`. */
  readonly place: string
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The first thing wrong with the data, at `root` or inside it. An unknown key is named as the place itself. */
export function firstIssue(error: z.core.$ZodError, root: readonly PropertyKey[] = []): FirstIssue {
  const issue = error.issues[0] as z.core.$ZodIssue
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...root, ...issue.path, ...unknownKey]
  const message = issue.code === 'unrecognized_keys' ? 'there is no such key' : issue.message
  return { place: placeOf(path), path, message: message.replace(/^Invalid input: /, '') }
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('')
}
