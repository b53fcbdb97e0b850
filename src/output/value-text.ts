/** A value of a record as text for a shell: a string as it is, nothing for null, all else as JSON. */
export function valueText(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
