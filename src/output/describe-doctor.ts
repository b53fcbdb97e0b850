import type { ChalkInstance } from 'chalk'
import type { Check } from '../session/doctor/examine.ts'
import type { Printable } from './reporter.ts'
import { oneLine } from './visible-text.ts'

export function checkRecord({ name, outcome, found, advice, facts }: Check): Printable {
  return {
    json: { type: 'herm_tools.check', check: name, outcome, found, advice: advice ?? null, facts: facts ?? {} },
    text: (style) => {
      const label = colours[outcome](style)(outcome.padEnd(OUTCOME_WIDTH))
      const line = `${label}  ${name.replace('_', ' ').padEnd(NAME_WIDTH)}  ${oneLine(found)}`
      return advice === undefined ? line : `${line}\n${' '.repeat(INDENT)}${oneLine(advice)}`
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
