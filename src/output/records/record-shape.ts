import * as z from 'zod/mini'

/**
 * The one shape of a record: what the code that makes it is typed by, what `herm-tools schema` prints, and what the tests
 * hold against everything that the program prints. It is strict, and only these modules load zod: whoever prints a record
 * imports its type alone.
 */
export function recordShape<const Name extends string, Fields extends z.core.$ZodLooseShape>(
  name: Name,
  meaning: string,
  fields: Fields,
) {
  const type = z.literal<`herm_tools.${Name}`>(`herm_tools.${name}`)
  return z.strictObject({ type, ...fields }).check(z.describe(meaning))
}

/** A text that says what the name of its field does not. */
export function described<Shape extends z.ZodMiniType>(shape: Shape, meaning: string): Shape {
  return shape.check(z.describe(meaning))
}

export const text = z.string()
export const textOrNull = z.nullable(text)
export const count = z.int().check(z.nonnegative())
export const time = described(text, 'ISO 8601, in UTC')
export const eventId = described(textOrNull, 'null where the service never told it')
export const callResult = z.enum(['running', 'completed', 'failed'])
