import { wrapAnsi } from 'fast-wrap-ansi'
import type { Printable } from './reporter.ts'

/**
 * What a help topic says in sentences, filled to `width` columns for a person, and below it the list that it is about. A
 * line break in the text is kept; a line that begins with blanks, or with a number and a dot, goes on indented.
 */
export function topicText(
  text: string,
  { topic, width, list = [] }: { topic: string; width: number; list?: readonly Printable[] },
): Printable[] {
  const lines = text.split('\n').map((line) => filledLine(line, width))
  const blank = list.length > 0 ? [''] : []
  return [{ json: { type: 'herm_tools.help', topic, text }, text: () => [...lines, ...blank].join('\n') }, ...list]
}

function filledLine(line: string, width: number): string {
  const indent = /^(?:\d+\. +| +)?/.exec(line)?.[0] ?? ''
  return filledBehind(indent, line.slice(indent.length), width)
}

/** The text filled to the width behind what its first line begins with, the further lines below its beginning. */
export function filledBehind(start: string, text: string, width: number): string {
  const blanks = ' '.repeat(start.length)
  return `${start}${wrapAnsi(text, width - start.length).replaceAll('\n', `\n${blanks}`)}`
}
