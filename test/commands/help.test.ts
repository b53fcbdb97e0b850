import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { isTopic } from '../../src/commands/help-topics.ts'
import { buildProgram } from '../../src/commands/program.ts'
import type { Context } from '../../src/context.ts'
import { errorKinds } from '../../src/errors.ts'
import { recordTypes } from '../../src/output/record-types.ts'
import { runHere } from '../helpers/run-here.ts'
import { runTool } from '../helpers/run-tool.ts'
import { toolHome } from '../helpers/tool-home.ts'

/** As at a terminal of so many columns; without one, help is made for 80. */
function programAt(columns?: number): Command {
  const terminal = { columns, write: () => true }
  return buildProgram({ version: '1.2.3', stdout: terminal, stderr: terminal } as unknown as Context)
}

const program = programAt()
const all = commandsBelow(program)
const leaves = all.filter(([, command]) => command.commands.length === 0)
const names = new Set(all.flatMap(([name, command]) => [name, ...command.aliases()]))

/** Full names, such as `auth login`, and the command of each; those that no help lists left out. */
function commandsBelow(command: Command, path = ''): [string, Command][] {
  const children = command.createHelp().visibleCommands(command)
  return children.flatMap((child) => {
    const name = `${path} ${child.name()}`.trim()
    return [[name, child] as [string, Command], ...commandsBelow(child, name)]
  })
}

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  return text
}

/** The command lines that a help shows, each on one line again. */
function examplesOf(command: Command): string[] {
  const [, section = ''] = /\nExamples:\n((?: {2}.*\n)+)/.exec(helpOf(command)) ?? []
  return section.replaceAll(/ \\\n +/g, ' ').match(/(?<=^ {2}\$ ).*$/gm) ?? []
}

/** What of the program a line runs, up to the sign that ends a command in a shell. */
function usesIn(line: string): string[][] {
  const uses = line.match(/(?<![\w./-])herm-tools(?![\w.-])( (?:'[^']*'|"[^"]*"|[^\s|;&<>()'"])+)*/g) ?? []
  return uses.map((use) =>
    [...use.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].slice(1).map(([, a, b, c]) => a ?? b ?? c ?? ''),
  )
}

/** The full name of the command that the real program would run. Rejects for what it does not take. */
async function parsed(words: readonly string[]): Promise<string> {
  const ran: string[] = []
  const probe = programAt()
  for (const [name, command] of commandsBelow(probe)) command.action(() => void ran.push(name))
  await probe.parseAsync([...words], { from: 'user' })
  expect(ran).toHaveLength(1)
  return ran[0] ?? ''
}

it('help alone is --help', async () => {
  const [help, flag] = await Promise.all([runTool(['help']), runTool(['--help'])])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('Usage: herm-tools')
  expect(help.stdout).toBe(flag.stdout)
})

it.each(['wait', 'auth login', 'auth', 'kickoff'])('help %s is the --help of that command', async (name) => {
  const words = name.split(' ')
  const [help, flag] = await Promise.all([runHere(['help', ...words]), runHere([...words, '--help'])])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toBe(flag.stdout)
})

it.each(leaves.filter(([, { options }]) => options.some(({ long }) => long === '--timeout')))(
  'the help of %s says how it ends when its --timeout is over',
  (_name, command) => {
    expect(helpOf(command)).toMatch(/^ {2}8 +\S/m)
  },
)

it('help exit-codes is the table of errors.ts', async () => {
  const [table, records] = await Promise.all([
    runHere(['help', 'exit-codes']),
    runHere(['help', 'exit-codes', '--json']),
  ])
  const rows = table.stdout.replaceAll(/\n {19}/g, ' ')
  for (const [kind, { exitCode, meaning }] of Object.entries(errorKinds)) {
    expect(rows).toContain(`\n${String(exitCode).padEnd(4)}  ${kind.padEnd(11)}  ${meaning}\n`)
    expect(records.records()).toContainEqual({ type: 'herm_tools.exit_code', code: exitCode, kind, meaning })
  }
  expect(records.records()[0]).toMatchObject({ code: 0, kind: 'done' })
})

it('help environment names every variable that the program reads', async () => {
  const { code, stdout } = await runHere(['help', 'environment'])
  expect(code).toBe(0)
  expect(stdout).toContain('A flag wins over the environment')
  const read = sources().flatMap((source) => source.match(/\b(PRISM_API_KEY|HERM_[A-Z_]+|NO_COLOR|NO_PROXY)\b/g) ?? [])
  expect(read).toContain('HERM_TOOLS_STATE_DIR')
  for (const name of new Set(read)) expect(stdout).toMatch(new RegExp(`^${name} `, 'm'))
})

it('help output names every record that the program prints', async () => {
  const { code, stdout } = await runHere(['help', 'output'])
  expect(code).toBe(0)
  const types = sources().flatMap((source) =>
    [...source.matchAll(/type: '(herm_tools\.[a-z_]+)'/g)].map(([, type]) => type),
  )
  expect(types).toContain('herm_tools.error')
  const named = stdout.match(/^herm_tools\.[a-z_]+/gm)
  expect(named).toEqual(expect.arrayContaining(types))
  expect(named).toEqual(recordTypes.map((shape) => shape.shape.type.def.values[0]))
})

it('help files names the paths that are in force, and every folder that a command makes', async () => {
  const home = toolHome()
  const env = { XDG_CACHE_HOME: join(home.folder, 'cache') }
  await home.run(['config', 'set', 'session', 'ses_01'], { env })
  await home.journal.update({ baseUrl: 'x', sessionId: 's', toolUseId: 't' }, () => ({}))
  const places = (await home.run(['help', 'files', '--json'], { env })).records()
  expect(places.shift()).toMatchObject({ type: 'herm_tools.help', topic: 'files' })
  const paths = places.map(({ path }) => path)
  expect(paths).toEqual([
    home.configPath,
    ...['journal', 'places', 'locks'].map((name) => join(home.stateDir, name)),
    join(home.folder, 'cache', 'herm-tools'),
  ])
  for (const made of readdirSync(home.stateDir)) expect(paths).toContain(join(home.stateDir, made))
  expect(existsSync(join(home.folder, 'cache', 'herm-tools'))).toBe(true)
  const shown = (await home.run(['help', 'files'], { env })).stdout
  for (const path of paths) expect(shown).toContain(`\n${path}\n`)
})

it('help protocol tells how a call goes, in text or as one record', async () => {
  const [text, json] = await Promise.all([runHere(['help', 'protocol']), runHere(['help', 'protocol', '--json'])])
  for (const word of ['kickoff', 'final', 'five minutes', 'requires_action', 'idle', 'twice']) {
    expect(text.stdout).toContain(word)
  }
  expect(json.records()).toEqual([
    { type: 'herm_tools.help', topic: 'protocol', text: expect.stringContaining('kickoff') },
  ])
})

it.each(['exit-codes', 'environment', 'output', 'files', 'protocol'])('help %s fits 80 columns', async (topic) => {
  const { stdout } = await runHere(['help', topic], { env: toolHome().env })
  // A path cannot be broken.
  const lines = stdout.split('\n').filter((line) => !line.startsWith('/'))
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})

const topics = 'The topics are exit-codes, environment, output, files, protocol; herm-tools --help lists the commands.'

it.each([
  [['wat'], `Did you mean herm-tools help wait? ${topics}`],
  [['exit-code'], `Did you mean herm-tools help exit-codes? ${topics}`],
  [['auth', 'logn'], 'Did you mean herm-tools help auth login?'],
  [['auth', 'xyzzy'], 'See herm-tools auth --help.'],
  [['xyzzy'], topics],
])('help %s is wrong usage with a suggestion', async (words, hint) => {
  const end = await runHere(['help', ...words])
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toBe(`error: there is no help for "${words.join(' ')}"\nhint: ${hint}\n`)
})

it.each([
  [
    ['--help', 'watch'],
    ['watch', '--help'],
  ],
  [
    ['-h', 'auth', 'login'],
    ['auth', 'login', '--help'],
  ],
  [
    ['auth', '--help', 'login'],
    ['auth', 'login', '--help'],
  ],
  [
    ['help', 'kickoff'],
    ['running', '-h'],
  ],
])('%s is the help of that command', async (words, same) => {
  const [one, other] = await Promise.all([runHere(words), runHere(same)])
  expect(one).toMatchObject({ code: 0, stderr: '' })
  expect(one.stdout).toBe(other.stdout)
})

it('a program that is run without a command shows its help on stderr; with --json, the error alone', async () => {
  const [plain, json, group] = await Promise.all([runHere([]), runHere(['--json']), runHere(['auth', '--json'])])
  expect(plain).toMatchObject({ code: 2, stdout: '' })
  expect(plain.stderr).toMatch(
    /^Usage: herm-tools[\s\S]*\nerror: a command is missing\nhint: See herm-tools --help\.\n$/,
  )
  for (const end of [json, group]) {
    expect(end).toMatchObject({ code: 2, stdout: '' })
    expect(JSON.parse(end.stderr)).toMatchObject({ type: 'herm_tools.error', message: 'a command is missing' })
  }
})

it('--help lists the commands under headings, each in one line', () => {
  const text = helpOf(programAt())
  for (const [, command] of commandsBelow(program)) {
    const line = command.createHelp().subcommandDescription(command)
    if (command.parent === program) expect(text).toContain(`  ${line}\n`)
    expect(line).toMatch(/^[^A-Z.\n][^.\n]*$/)
  }
  expect(text).not.toContain('\nCommands:')
  expect(text).not.toContain('__complete')
})

it.each(all)('the help of %s says what it is for, and has examples that the program takes', async (name, command) => {
  expect(command.description()).toMatch(/^[^A-Z\n][^\n]*[^.\n]$/)
  const uses = examplesOf(command).flatMap(usesIn)
  const ran = await Promise.all(uses.map((words) => parsed(words).catch((error) => `${words.join(' ')}: ${error}`)))
  for (const one of ran) expect(names).toContain(one)
  expect(ran.filter((one) => `${one} `.startsWith(`${name} `))).not.toEqual([])
})

it.each(leaves)('the help of %s has its exit codes, success first', (_name, command) => {
  expect(helpOf(command)).toContain('Exit codes (all of them: herm-tools help exit-codes):\n  0    ')
})

it.each(all)('what the help of %s points to is there', (_name, command) => {
  const [, list = ''] = /\nSee also:\n((?: {2}.*\n)+)/.exec(helpOf(command)) ?? []
  const related = list
    .split(/,\s+|\n/)
    .map((one) => one.trim())
    .filter(Boolean)
  expect(related).not.toEqual([])
  for (const one of related) {
    const target = one.replace(/^herm-tools /, '')
    const isThere =
      isTopic(target.replace(/^help /, '')) || [...names].some((name) => `${target} `.startsWith(`${name} `))
    expect(isThere, one).toBe(true)
  }
})

it.each(['', ...all.map(([name]) => name)])(
  'the help of "%s" fits 80 columns, and 40 but for words that are longer',
  (name) => {
    for (const columns of [80, 40]) {
      const wide = programAt(columns)
      const command = name === '' ? wide : commandsBelow(wide).find(([one]) => one === name)?.[1]
      const lines = helpOf(command ?? wide).split('\n')
      const tooLong = lines.filter(
        (line) => line.length > columns && (columns === 80 || !/^(Usage:| *[$-]| {6}\S+$)/.test(line)),
      )
      expect(tooLong).toEqual([])
    }
  },
)

function sources(): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join('src', path), 'utf8'))
}
