import type { Command } from 'commander'
import { topics } from '../src/commands/help-topics.ts'
import { heading, item, paragraph, step, subheading, title, verbatim } from './roff.ts'

/** The manual page of the program, in roff: what its `--help` and its help topics say, in the order of `--help`. */
export async function manPage(program: Command, version: string): Promise<string> {
  const help = program.createHelp()
  const commands = help.visibleCommands(program)
  const groups = [...new Set(commands.map((command) => command.helpGroup()))]
  return [
    title('HERM-TOOLS', `herm-tools ${version}`),
    heading('NAME'),
    paragraph(`herm-tools - ${program.summary()}`),
    heading('SYNOPSIS'),
    paragraph('herm-tools [options] command'),
    paragraph('herm-tools help command or topic'),
    heading('DESCRIPTION'),
    ...program.description().split('\n\n').map(paragraph),
    paragraph('Every command takes these options:'),
    ...optionItems(program),
    ...endOfHelp(program),
    ...groups.flatMap((group) => [
      heading(group.replace(/:$/, '').toUpperCase()),
      ...commands.filter((command) => command.helpGroup() === group).flatMap(commandParts),
    ]),
    heading('HOW A CALL GOES'),
    ...(await topicParts('protocol')),
    heading('OUTPUT'),
    ...(await topicParts('output')),
    heading('EXIT STATUS'),
    ...(await topicParts('exit-codes')),
    heading('ENVIRONMENT'),
    ...(await topicParts('environment')),
    heading('FILES'),
    ...(await topicParts('files')),
    '',
  ].join('\n')
}

/** A command with what stands below it. */
function commandParts(command: Command): string[] {
  const help = command.createHelp()
  const children = help.visibleCommands(command)
  return [
    subheading(help.commandUsage(command)),
    paragraph(help.commandDescription(command)),
    ...help.visibleArguments(command).map((one) => item(one.name(), help.argumentDescription(one))),
    ...optionItems(command),
    ...endOfHelp(command),
    ...children.flatMap(commandParts),
  ]
}

function optionItems(command: Command): string[] {
  const help = command.createHelp()
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help' || command.parent === null)
    .map((option) => item(help.optionTerm(option), help.optionDescription(option)))
}

/** Examples, exit codes and related commands, as the help prints them where a line has no end. The page has the options of every command once. */
function endOfHelp(command: Command): string[] {
  let text = ''
  command.configureOutput({ getOutHelpWidth: () => 10_000, writeOut: (part) => (text += part) }).outputHelp()
  const [, end = ''] = text.split(/\n(?=Examples:\n)/)
  return end.split('\n\n').flatMap((section) => {
    const [head = '', ...lines] = section.trimEnd().split('\n')
    if (head.startsWith('Exit codes')) return [paragraph('Exit codes:'), ...lines.map(exitItem)]
    if (head.startsWith('Options of every command')) return []
    if (head === 'See also:') return [paragraph(`${head} ${lines.join(' ').trim()}.`)]
    return [paragraph(head), verbatim(lines)]
  })
}

function exitItem(line: string): string {
  const [, code = '', words = ''] = /^ *(\d+) +(.*)$/.exec(line) ?? []
  return item(code, words)
}

/** Of a user who has set nothing. */
const FOLDERS = { config: '~/.config/herm-tools', state: '~/.local/state/herm-tools', cache: '~/.cache/herm-tools' }

/** The records of a topic. */
async function topicParts(name: keyof typeof topics): Promise<string[]> {
  const parts = await topics[name](10_000, { folders: async () => FOLDERS })
  return parts.flatMap(({ json }) => {
    if (typeof json === 'string') return []
    switch (json.type) {
      case 'herm_tools.help':
        return json.text.split('\n').filter(Boolean).map(textLine)
      case 'herm_tools.exit_code':
        return [item(String(json.code), json.meaning)]
      case 'herm_tools.variable':
      case 'herm_tools.record_type':
        return [item(json.name, json.meaning)]
      case 'herm_tools.place':
        return [item(json.path, `${json.holds}; mode ${json.mode}. May it be removed? ${json.removal}.`)]
      default:
        throw new Error(`the page has no form for ${json.type}`)
    }
  })
}

function textLine(line: string): string {
  const [, number, text = ''] = /^(\d+\.) +(.*)$/.exec(line) ?? []
  return number === undefined ? paragraph(line) : step(number, text)
}
