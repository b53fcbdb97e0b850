import { createHash } from 'node:crypto'

/**
 * A digest by which two results are the same: equal status and joined text, whatever the split into blocks,
 * the kind of line ends and trailing white space (of a line or of the whole).
 */
export function resultDigest(status: string, text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trimEnd())
  const normal = lines.join('\n').trimEnd()
  return createHash('sha256').update(`${status}\n${normal}`).digest('hex')
}
