/**
 * An id as one word of a command that people are told to type: as it is where it is plain, else in quotes, so that whoever
 * copies it into a shell runs nothing that a service, or another user, put into it.
 */
export function shellWord(text: string): string {
  return /^[\w.:@%+=,/][\w.:@%+=,/-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
