import * as z from 'zod/mini'
import { HermError } from '../errors.ts'
import { parseFault } from './fault-text.ts'

/** A fault as a text within other data. */
export const faultShape = z.pipe(
  z.string(),
  z.transform((text, context) => {
    try {
      return parseFault(text)
    } catch (error) {
      if (!(error instanceof HermError)) throw error
      context.issues.push({ code: 'custom', message: `${error.message}. ${error.hint}`, input: text })
      return z.NEVER
    }
  }),
)

/** Where the luck of faults begins. */
export const seedShape = z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1))
