/** The text, with a `…` for what comes after so many characters; none is halved. */
export function shortened(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')}…` : text
}
