import type { ChalkInstance } from 'chalk'
import type { Check } from '../session/doctor/examine.ts'
import type { Printable } from './reporter.ts'
import { filledBehind } from './topic-text.ts'
import { oneLine } from './visible-text.ts'

export function checkRecord({ name, outcome, found, advice, facts }: Check): Printable {
  return {
    json: { type: 'herm_tools.check', check: name, outcome, found, advice: advice ?? null, facts: facts ?? {} },
    text(style, columns = Number.POSITIVE_INFINITY) {
      const label = colours[outcome](style)(outcome.padEnd(OUTCOME_WIDTH))
      const head = `${label}  ${name.replace('_', ' ').padEnd(NAME_WIDTH)}`
      const isRoomy = columns - INDENT >= NARROWEST
      const margin = ' '.repeat(isRoomy ? INDENT : NARROW_INDENT)
      const [first = '', ...others] = [found, advice ?? []]
        .flat()
        .map((text) => filledBehind(margin, oneLine(text), columns))
      const beside = isRoomy ? `${head}  ${first.slice(INDENT)}` : `${head.trimEnd()}\n${first}`
      return [beside, ...others].join('\n')
    },
  }
}

const colours: Readonly<Record<Check['outcome'], (style: ChalkInstance) => ChalkInstance>> = {
  ok: (style) => style.green,
  warning: (style) => style.yellow,
  problem: (style) => style.red,
  skipped: (style) => style.dim,
}

/** Of the longest, `warning`, `problem` and `skipped`. */
const OUTCOME_WIDTH = 7

/** Of the longest, `config folder`. */
const NAME_WIDTH = 13

const INDENT = OUTCOME_WIDTH + NAME_WIDTH + 4

/** Columns below which a text goes below the name, and not beside it. */
const NARROWEST = 30
const NARROW_INDENT = 2
