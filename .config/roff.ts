/** The few macros of man(7) that the manual page is made of. Each gives whole lines, and takes text as it is to be read. */

export function title(name: string, source: string): string {
  return `.TH ${name} 1 "" "${escaped(source)}" "User Commands"`
}

export function heading(text: string): string {
  return `.SH "${escaped(text)}"`
}

export function subheading(text: string): string {
  return `.SS "${escaped(text)}"`
}

export function paragraph(text: string): string {
  return `.PP\n${lines(text)}`
}

/** A word with its meaning beside it, or below it. */
export function item(word: string, meaning: string): string {
  return `.TP\n.B "${escaped(word)}"\n${lines(meaning || '-')}`
}

/** A step of a list, such as `1.`. */
export function step(number: string, text: string): string {
  return `.IP "${escaped(number)}" 4\n${lines(text)}`
}

/** Lines that are not filled, such as commands. */
export function verbatim(texts: readonly string[]): string {
  return `.PP\n.nf\n${texts.map(lines).join('\n')}\n.fi`
}

/** A line must not begin with what roff takes for a request. */
function lines(text: string): string {
  return escaped(text).replace(/^\./gm, '\\&.')
}

/** As ASCII in which nothing has another meaning: quotes and dashes are to be those that can be copied into a shell. */
function escaped(text: string): string {
  return text.replace(/[\\"'`^~-]|[^\n -~]/g, (sign) => SIGNS[sign] ?? `\\[u${hex(sign)}]`)
}

const SIGNS: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '"': '\\(dq',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '-': '\\-',
}

function hex(sign: string): string {
  return (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
