import { InvalidArgumentError } from 'commander'
import { parseDuration } from '../duration.ts'
import type { HistorySelection } from '../session/history-selection.ts'
import type { Until } from '../session/until.ts'

/** For commander: turns the text of an option into its value, or throws what commander reports as a usage error. */

/** An id or a name. An empty one is a variable that a script forgot to set. */
export function parseId(text: string): string {
  const id = text.trim()
  if (id !== '') return id
  throw new InvalidArgumentError('It is empty.')
}

/** The names from a record down to a value: `payload.content.0.text`. */
export function parseField(text: string): readonly string[] {
  const names = text.split('.')
  if (!names.includes('')) return names
  throw new InvalidArgumentError(
    'Write the name of a field such as event_id, or a path such as payload.content.0.text.',
  )
}

export function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

export function parseWait(text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined && ms > 0) return ms
  throw new InvalidArgumentError('Write a duration such as 30s, 10m or 2h; up to 365d.')
}

export function parseSince(text: string): HistorySelection {
  if (text === 'start' || text === 'now') return { from: text }
  if (/^\d{1,15}$/.test(text)) return { from: 'sequence', sequence: Number(text) }
  const ms = parseDuration(text)
  if (ms !== undefined) return { from: 'ago', ms }
  throw new InvalidArgumentError('Write start, now, a sequence number, or a duration such as 10m.')
}

export function parseUntil(text: string): Until {
  const [what = '', value] = split(text)
  if (what === 'idle' && value === undefined) return { what }
  if (what === 'type' && value) return { what, glob: value }
  if (what === 'call' && value !== '') return { what, tool: value }
  if (what === 'result' && value) return { what, toolUseId: value }
  throw new InvalidArgumentError('Write idle, type=GLOB, call, call=TOOL or result=TOOL_USE_ID.')
}

/** Each value of an option that may be repeated. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, parseId(text)]
}

function split(text: string): [string, string?] {
  const at = text.indexOf('=')
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
