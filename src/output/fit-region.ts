import { stripVTControlCharacters } from 'node:util'

export interface Region {
  /** What is being said just now. */
  readonly talk: readonly string[]
  readonly cards: readonly (readonly string[])[]
  readonly status: readonly string[]
  /** Says how many cards there was no room for. */
  readonly more: (count: number) => string
}

/** As many lines of it as there are rows: whole cards before the rest, of what is said the end, and the status always. */
export function fitRegion({ talk, cards, status, more }: Region, rows: number): string[] {
  const gap = rows >= ROOMY_ROWS ? [''] : []
  const foot = [...gap, ...status.slice(0, Math.max(rows, 1))]
  const head = cards.length > 0 ? gap : []
  const room = Math.max(rows - head.length - foot.length, 0)
  const shown = fitCards(cards, { rows: room - Math.min(talk.length, TALK_ROWS), more })
  return [...lastOf(talk, room - shown.length), ...head, ...shown, ...foot]
}

/** Whole cards from the first on; of the first one what there is room for. */
function fitCards(cards: Region['cards'], { rows, more }: Pick<Region, 'more'> & { rows: number }): string[] {
  if (rows <= 0) return []
  const all = cards.flat()
  if (all.length <= rows) return all
  const shown: string[] = []
  let count = 0
  for (const card of cards) {
    if (count > 0 && shown.length + card.length > rows - 1) break
    shown.push(...wholeCommands(card.slice(0, rows - 1)))
    count++
  }
  return count === cards.length ? shown : [...shown, more(cards.length - count)]
}

/** Without the beginning of a command whose end has no room: nobody could use it. */
function wholeCommands(lines: readonly string[]): readonly string[] {
  const end = lines.findLastIndex((line) => !stripVTControlCharacters(line).endsWith('\\'))
  return lines.slice(0, end + 1)
}

function lastOf(lines: readonly string[], count: number): readonly string[] {
  return count > 0 ? lines.slice(-count) : []
}

/** Enough to see that the agent goes on talking. */
const TALK_ROWS = 3
/** From here on there is room for blank lines. */
const ROOMY_ROWS = 12
