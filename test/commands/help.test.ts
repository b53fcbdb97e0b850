import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { buildProgram } from '../../src/commands/program.ts'
import type { Context } from '../../src/context.ts'
import { errorKinds } from '../../src/errors.ts'
import { runTool } from '../helpers/run-tool.ts'

const program = buildProgram({ version: '1.2.3' } as Context)
const leaves = commandsWithActions(program)

/** Full names, such as `auth login`, and the command of each; groups left out. */
function commandsWithActions(command: Command, name = ''): [string, Command][] {
  if (command.commands.length === 0) return [[name.trim(), command]]
  return command.commands.flatMap((child) => commandsWithActions(child, `${name} ${child.name()}`))
}

it('help alone is --help', async () => {
  const [help, flag] = await Promise.all([runTool(['help']), runTool(['--help'])])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('Usage: herm-tools')
  expect(help.stdout).toBe(flag.stdout)
})

it.each(['wait', 'auth login', 'auth', 'kickoff'])('help %s is the --help of that command', async (name) => {
  const words = name.split(' ')
  const [help, flag] = await Promise.all([runTool(['help', ...words]), runTool([...words, '--help'])])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toBe(flag.stdout)
})

it('help exit-codes is the table of errors.ts', async () => {
  const [table, records] = await Promise.all([
    runTool(['help', 'exit-codes']),
    runTool(['help', 'exit-codes', '--json']),
  ])
  for (const [kind, { exitCode, meaning }] of Object.entries(errorKinds)) {
    expect(table.stdout).toContain(`\n${String(exitCode).padEnd(4)}  ${meaning}\n`)
    expect(records.records()).toContainEqual({ type: 'herm_tools.exit_code', code: exitCode, kind, meaning })
  }
  expect(records.records()[0]).toMatchObject({ code: 0, kind: 'done' })
})

it('help environment names every variable that the program reads', async () => {
  const { code, stdout } = await runTool(['help', 'environment'])
  expect(code).toBe(0)
  expect(stdout).toContain('A flag wins over the environment')
  const read = sources().flatMap((source) => source.match(/\b(PRISM_API_KEY|HERM_[A-Z_]+|NO_COLOR|NO_PROXY)\b/g) ?? [])
  expect(read).toContain('HERM_TOOLS_STATE_DIR')
  for (const name of new Set(read)) expect(stdout).toMatch(new RegExp(`^${name} `, 'm'))
})

it('help output names every record that the program prints', async () => {
  const { code, stdout } = await runTool(['help', 'output'])
  expect(code).toBe(0)
  const types = sources().flatMap((source) =>
    [...source.matchAll(/type: '(herm_tools\.[a-z_]+)'/g)].map(([, type]) => type),
  )
  expect(types).toContain('herm_tools.error')
  const named = stdout.match(/^herm_tools\.[a-z_]+/gm)
  expect(named?.sort()).toEqual([...new Set(types)].sort())
})

it.each([
  [['wat'], 'Did you mean wait?'],
  [['exit-code'], 'Did you mean exit-codes?'],
  [['auth', 'logn'], 'Did you mean login?'],
  [['xyzzy'], 'See herm-tools --help.'],
])('help %s is wrong usage with a suggestion', async (words, hint) => {
  const end = await runTool(['help', ...words])
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toBe(`error: there is no help for "${words.join(' ')}"\nhint: ${hint}\n`)
})

it.each(leaves)('the help of %s has examples, exit codes, and only commands that there are', (name, command) => {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) })
  command.outputHelp()
  expect(command.description()).toMatch(/^[^\n]+[^.\n]$/)
  expect(text).toContain('Exit codes (all of them: herm-tools help exit-codes):\n  0   ')
  expect(text).toMatch(new RegExp(`\\nExamples:\\n(  \\$ .*\\n)*  \\$ .*herm-tools ${name}\\b`))
  const known = leaves.map(([other]) => other)
  const related = /See also: (.*)/.exec(text)?.[1]?.split(', ') ?? []
  for (const one of related)
    expect(
      known.some((other) => `${one} `.startsWith(`herm-tools ${other} `)),
      one,
    ).toBe(true)
})

function sources(): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join('src', path), 'utf8'))
}
