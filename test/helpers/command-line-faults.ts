import { runHere } from './run-here.ts'

/** Each use of the program in texts of a shell, up to the sign that ends a command there. */
export function commandLines(texts: readonly string[]): string[] {
  const use = /(?<![\w./-])herm-tools(?: +(?:'[^'\n]*'|"[^"\n]*"|[^\s|;&<>()'"])+)+/g
  return [...new Set(texts.flatMap((text) => text.match(use) ?? []))]
}

/**
 * What of a command line the program's own `--help` does not know, be it that of the command or, for the options of
 * every command, that of the program. Of a whole line, arguments may not be missing either. (That a flag is required is
 * nothing that help says.)
 */
export async function commandLineFaults(line: string, { isWhole }: { isWhole: boolean }): Promise<string[]> {
  const { help, words } = await findCommand(shellWords(line).slice(1))
  const { found, others } = flagFaults(words, help + (await helpOf([])))
  const [word] = others
  if (commandNames(help).length > 0) return word === undefined ? found : [...found, `no command ${word}`]
  const usage = /^Usage: .*?\[options\] ?(.*)$/m.exec(help)?.[1] ?? ''
  const least = isWhole ? count(usage, /</g) : 0
  const most = usage.includes('...') ? Number.POSITIVE_INFINITY : count(usage, /[<[]/g)
  const fits = others.length >= least && others.length <= most
  return fits ? found : [...found, `${others.length} arguments for ${usage}`]
}

function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )
}

/** The help of the command that the first words name, and the words after them. */
async function findCommand(
  words: readonly string[],
  path: readonly string[] = [],
): Promise<{ help: string; words: readonly string[] }> {
  const help = await helpOf(path)
  const [first, ...rest] = words
  return first !== undefined && commandNames(help).includes(first)
    ? findCommand(rest, [...path, first])
    : { help, words }
}

function flagFaults(words: readonly string[], help: string): { found: string[]; others: string[] } {
  const found: string[] = []
  const others: string[] = []
  const left = [...words]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (!/^-./.test(word)) {
      others.push(word)
      continue
    }
    const flag = new RegExp(`^ {2}(?:-\\w, )?${word}( <[^>]+>)?(?: |$)`, 'm').exec(help)
    if (flag === null) found.push(`no flag ${word}`)
    if (flag?.[1] === undefined) continue
    const value = left[0]?.startsWith('--') ? undefined : left.shift()
    if (value === undefined) found.push(`no value for ${word}`)
  }
  return { found, others }
}

/** The commands that a help text lists, under whatever headings, with their aliases. */
export function commandNames(help: string): string[] {
  const sections = [...help.matchAll(/^(\S.*):\n((?: .*\n)+)/gm)]
  return sections
    .filter(([, title = '']) => !/^(Arguments|Options|Examples|Exit codes|See also)\b/.test(title))
    .flatMap(([, , section = '']) => [...section.matchAll(/^ {2}(\S.*?) {2}/gm)])
    .flatMap(([, names = '']) => names.split(', '))
}

/** The help text of the command with this name, asked for once. */
export function helpOf(path: readonly string[]): Promise<string> {
  const name = path.join(' ')
  const help = helps.get(name) ?? runHere([...path, '--help']).then(({ stdout }) => stdout)
  helps.set(name, help)
  return help
}

const helps = new Map<string, Promise<string>>()

function count(text: string, pattern: RegExp): number {
  return (text.match(pattern) ?? []).length
}
