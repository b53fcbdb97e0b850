import { HermError } from '../errors.ts'
import { faultKinds } from './fault-kinds.ts'
import type { Act, PointName } from './fault-points.ts'

/** One fault as it was asked for. */
export interface Fault {
  /** As it was written. */
  readonly text: string
  readonly name: string
  readonly at: PointName
  readonly act: Act
  /** Of each chance, from 0 to 1. */
  readonly probability: number
  /** How often it strikes at most. */
  readonly count: number
  /** How many chances it lets pass first. */
  readonly after: number
}

/** A question such as `Did you mean post-cut?` for a word that is none of those known. */
export type Suggest = (word: string, known: readonly string[]) => string | undefined

/** Reads `NAME[=VALUE][,p=0.3][,count=5][,after=2]`. Throws `usage`, naming the fault and what is allowed. */
export function parseFault(text: string, suggest: Suggest = () => undefined): Fault {
  const [[name = '', value], ...options] = text.split(',').map(pair) as [Pair, ...Pair[]]
  const kind = Object.hasOwn(faultKinds, name) ? faultKinds[name] : undefined
  if (kind === undefined) {
    const names = Object.keys(faultKinds)
    const question = suggest(name, names)
    throw wrong(`there is no fault "${name}"`, `${question ? `${question} ` : ''}The faults are ${names.join(', ')}.`)
  }
  const act = kind.withValue(value)
  if (act === undefined && kind.form === undefined) throw wrong(`fault ${name}: it takes no value`, `Write ${name}.`)
  if (act === undefined) throw wrong(`fault ${name}: it needs ${kind.form}`, `Write ${name}=${kind.example}.`)
  return {
    text,
    name,
    at: kind.at,
    act,
    probability: 1,
    count: Number.POSITIVE_INFINITY,
    after: 0,
    ...readOptions(name, options),
  }
}

type Pair = [name: string, value?: string]

function pair(part: string): Pair {
  const [name = '', ...value] = part.trim().split('=')
  return value.length === 0 ? [name] : [name, value.join('=')]
}

type OptionName = 'probability' | 'count' | 'after'

const optionNames: Readonly<Record<string, OptionName>> = { p: 'probability', count: 'count', after: 'after' }

function readOptions(fault: string, options: readonly Pair[]): Partial<Record<OptionName, number>> {
  return Object.fromEntries(
    options.map(([name, value = '']) => {
      const option = Object.hasOwn(optionNames, name) ? optionNames[name] : undefined
      if (option === undefined) throw wrong(`fault ${fault}: there is no option "${name}"`, OPTIONS)
      const number = option === 'probability' ? /^(0?\.\d+|1(\.0+)?|0)$/ : /^\d{1,9}$/
      if (!number.test(value)) throw wrong(`fault ${fault}: ${name} cannot be "${value}"`, OPTIONS)
      return [option, Number(value)]
    }),
  )
}

function wrong(message: string, hint: string): HermError {
  return new HermError('usage', message, { hint })
}

const OPTIONS = 'The options are p (a probability from 0 to 1), count and after (whole numbers).'
