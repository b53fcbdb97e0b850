import { spawnSync } from 'node:child_process'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { manPage } from '../.config/man-page.ts'
import packageJson from '../package.json' with { type: 'json' }
import { buildProgram } from '../src/commands/program.ts'
import type { Context } from '../src/context.ts'
import { isFound } from './helpers/shell-session.ts'

const program = buildProgram({ version: packageJson.version } as Context)
const page = await manPage(program, packageJson.version)

it('is what the help says; `npm run man` writes it anew', async () => {
  await expect(page).toMatchFileSnapshot('../man/herm-tools.1')
})

it('has every command and every flag', () => {
  const text = page.replaceAll('\\-', '-')
  for (const command of visibleCommands(program)) {
    expect(text).toContain(`.SS "${command.createHelp().commandUsage(command)}"`)
    for (const { flags } of command.options) expect(text).toContain(`.B "${flags}"`)
  }
})

it('is plain ASCII, and nothing in it is taken for a request', () => {
  expect(page).toMatch(/^[\n -~]*$/)
  const requests = new Set(page.match(/^[.'].*?(?= |$)/gm))
  expect([...requests].sort()).toEqual(['.B', '.IP', '.PP', '.SH', '.SS', '.TH', '.TP', '.fi', '.nf'])
})

/** By which `man` shows a page. */
const formatter = 'groff'

it.runIf(isFound(formatter))('is formatted by groff without a warning', () => {
  const { status, stdout, stderr } = spawnSync(formatter, ['-ww', '-man', '-Tutf8'], { input: page, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('herm-tools complete --tool-use-id custom_toolu_01 --file result.txt')
})

function visibleCommands(command: Command): Command[] {
  const children = command.createHelp().visibleCommands(command)
  return children.flatMap((child) => [child, ...visibleCommands(child)])
}
