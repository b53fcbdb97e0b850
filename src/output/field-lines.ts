import type { ChalkInstance } from 'chalk'
import { oneLine } from './visible-text.ts'

export type Field = readonly [label: string, value: string | null | undefined]

/** One line for each field, the values below one another; fields without a value are left out. */
export function fieldLines(fields: readonly Field[], style: ChalkInstance): string {
  const shown = fields.filter(([, value]) => value)
  const width = Math.max(...shown.map(([label]) => label.length))
  return shown.map(([label, value]) => `${style.dim(label.padEnd(width))}  ${oneLine(value ?? '')}`).join('\n')
}
