export const linesOf = (text: string) => text.split('\n').filter(Boolean)

/** The sequence numbers of the events printed as JSON. */
export const sequencesOf = (text: string): number[] => linesOf(text).flatMap((line) => JSON.parse(line).sequence ?? [])

/** The types of the records printed as JSON. */
export const typesOf = (text: string): string[] => linesOf(text).map((line) => JSON.parse(line).type)
