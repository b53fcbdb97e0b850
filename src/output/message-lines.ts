import stringWidth from 'fast-string-width'
import { wrapTo } from './fit-text.ts'
import type { Look } from './look.ts'
import { sessionTag } from './session-tag.ts'
import { visible } from './visible-text.ts'
import { type Voice, voices } from './voice.ts'

export interface Message {
  readonly from: Voice
  readonly text: string
  /** The session, where there are several. */
  readonly tag: string
}

/** Who says what: the name, and the text beside it, or below it where there is little room. */
export function messageLines({ from, text, tag }: Message, { style, width }: Look): string[] {
  const name = style[voices[from]](from) + ' '.repeat(Math.max(0, NAME_COLUMNS - from.length))
  const head = `${tag === '' ? '' : `${style.dim(sessionTag(tag, width))}  `}${name}  `
  if (text === '') return [head.trimEnd()]
  const beside = stringWidth(head)
  const isBelow = width - beside < FEW_COLUMNS
  const indent = ' '.repeat(isBelow ? 2 : beside)
  const lines = wrapTo(shown(text), width - indent.length).map((line) => `${indent}${line}`.trimEnd())
  return isBelow ? [head.trimEnd(), ...lines] : [head + (lines[0] ?? '').slice(beside), ...lines.slice(1)]
}

function shown(text: string): string {
  const left = text.length - MAX_CHARS
  const whole = visible(text.slice(0, MAX_CHARS)).replaceAll('\t', '    ').trim()
  return left > 0 ? `${whole}\n… and ${left} more characters; --json has them` : whole
}

/** As long as the names that are seen often, so that texts stand below one another. */
const NAME_COLUMNS = 5
/** Below this, text in a column of its own is hard to read. */
const FEW_COLUMNS = 24
/** Some screens full; what is longer is a file, and nobody reads it in passing. */
const MAX_CHARS = 20_000
