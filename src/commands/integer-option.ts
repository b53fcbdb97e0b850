import { InvalidArgumentError } from 'commander'

/** Reads an option's value as a whole number; what is none, or out of bounds, is wrong usage. */
export function integerOption({ min, max }: { min: number; max: number }): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}
