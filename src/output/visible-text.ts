import { once } from '../once.ts'

/**
 * Text from a session, made safe for a terminal. What is printable stays, whatever it stands between: of escape sequences
 * only those are taken out whole that move the cursor or change colours (CSI, as in the logs of builds), since nothing in
 * them is to be read; of any other, such as a window title or a link, the control characters go and the rest is shown.
 * Taken out too are the characters that change the direction of writing, and those that take no room and so make two ids
 * look the same. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return withoutUnsafe(text, () => '')
}

/** The same on one line: every run of white space is one blank. */
export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ')).trim()
}

/** The same on as many lines as it has, those after the first indented: none can pass for a line of the tool's own. */
export function indented(text: string): string {
  return visible(text).trim().replace(/\n/g, '\n  ')
}

/** The last look at text for a terminal, in which our own colours stay: for what a description forgot to make visible. */
export function safeForTerminal(text: string): string {
  return withoutUnsafe(text, (found) => (COLOUR.test(found) ? found : ''))
}

function withoutUnsafe(text: string, replacement: (found: string) => string): string {
  return PLAIN.test(text) ? text : text.replace(unsafe(), replacement)
}

/**
 * The same JSON on one line for a terminal: what is unsafe is written as `\uXXXX`, so that a copy of it is still the same.
 * Outside of strings only a carriage return can be unsafe, where any other blank means the same.
 */
export function jsonForTerminal(json: string): string {
  return json.replaceAll('\r', ' ').replace(unsafeCharacter(), (found) => found.split('').map(jsonEscape).join(''))
}

/** Of one UTF-16 unit: a character beyond them is two escapes in JSON. */
function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const CSI = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`
const SHOWN = String.raw`[^\p{ASCII}\p{Default_Ignorable_Code_Point}\p{Cc}]`
/** Joiners and variation selectors, where scripts and emoji need them: between, or behind, characters beyond ASCII. */
const SHAPING = String.raw`(?<=${SHOWN})[\ufe0e\ufe0f]|(?<=${SHOWN}[\ufe0e\ufe0f]?)[\u200c\u200d](?=${SHOWN})`
/** Control characters but tab and line feed, line and paragraph separators, what is invisible, notes between lines. */
const HIDDEN = String.raw`(?![\t\n])\p{Cc}|[\p{Zl}\p{Zp}\ufff9-\ufffb]|(?!${SHAPING})\p{Default_Ignorable_Code_Point}`
/** Made at their first use: that takes a tenth of the time in which Node.js starts, and most text is plain. */
const unsafeCharacter = once(() => new RegExp(HIDDEN, 'gu'))
const unsafe = once(() => new RegExp(`${CSI}|${HIDDEN}`, 'gu'))
const PLAIN = /^[\t\n -~]*$/
/** Of a CSI sequence, the form in which colours are written here. */
const COLOUR = /^.\[[\d;]*m$/
