import { stripVTControlCharacters } from 'node:util'

/**
 * Text from a session, made safe for a terminal: escape sequences, control and bidirectional characters are taken out,
 * line breaks and tabs stay.
 */
export function visible(text: string): string {
  return stripVTControlCharacters(text).replace(UNSAFE, '')
}

/** The same on one line: every run of white space is one blank. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim()
}

/** Control characters but tab and line feed, line and paragraph separators, and what changes the direction of writing. */
const UNSAFE = /(?![\t\n])\p{Cc}|[\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu
