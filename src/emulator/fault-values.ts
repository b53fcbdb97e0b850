import { parseDuration } from '../duration.ts'

/** What may stand after the `=` of a fault. */
export interface FaultValue<V> {
  /** In words, for whoever left it out or wrote it wrong; undefined when nothing may stand there. */
  readonly form: string | undefined
  /** One to copy; undefined with no form. */
  readonly example: string | undefined
  /** Undefined for what is not of this form. */
  parse(text: string | undefined): V | undefined
}

export const noValue: FaultValue<true> = {
  form: undefined,
  example: undefined,
  parse: (text) => (text === undefined ? true : undefined),
}

/** In milliseconds. */
export const duration: FaultValue<number> = {
  form: 'a duration such as 250ms, 2s or 1m',
  example: '2s',
  parse: (text = '') => parseDuration(text),
}

/** In milliseconds, which are less than 0 for what lies behind. */
export const offset: FaultValue<number> = {
  form: 'a duration such as 90s, or -90s',
  example: '-90s',
  parse(text = '') {
    const ms = parseDuration(text.replace(/^-/, ''))
    return ms !== undefined && text.startsWith('-') ? -ms : ms
  },
}

export const refusalStatus = statusFrom(400)
export const failureStatus = statusFrom(500)

function statusFrom(least: number): FaultValue<number> {
  return {
    form: `a status from ${least} to 599`,
    example: '503',
    parse: (text = '') =>
      /^\d{3}$/.test(text) && Number(text) >= least && Number(text) <= 599 ? Number(text) : undefined,
  }
}
