import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { startOnScreen } from '../helpers/screen.ts'
import { toolHome } from '../helpers/tool-home.ts'

/** What a command says on stderr, on a terminal of so many columns; with `all`, on stdout too. */
async function onScreen(
  args: readonly string[],
  columns: number,
  { all = false, env = {} }: { all?: boolean; env?: Record<string, string> } = {},
) {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { apiKey: 'another-key-9999' } } })
  const screen = startOnScreen(args, {
    env: { ...home.env, PRISM_API_KEY: 'a-key-of-12345678', ...env },
    columns,
    ...(all ? {} : { stdout: join(home.folder, 'stdout') }),
  })
  await screen.ended
  return screen.text().split('\n')
}

const args = ['pending']
const hint =
  'hint: Name one with --session, HERM_SESSION, or `herm-tools config set session ID`; `herm-tools sessions list` shows them.'

it.each([30, 44, 80])(
  'an error and its hint are broken between words on %i columns, commands not at all',
  async (columns) => {
    const lines = await onScreen(args, columns, { env: { CI: 'true' } })
    expect(lines.join(' ').replaceAll(/ +/g, ' ')).toBe(`error: no session was named ${hint}`)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    if (columns > 40) expect(lines.join('\n')).toContain('`herm-tools config set session ID`')
    for (const line of lines.slice(1).filter((line) => !line.startsWith('hint:'))) expect(line).toMatch(/^ {2}\S/)
  },
)

test('a warning, too', async () => {
  expect(await onScreen(['auth', 'status'], 30)).toEqual([
    'warning: PRISM_API_KEY',
    '  overrides the key stored in',
    '  profile default',
  ])
})

test('and a sentence on stdout', async () => {
  expect(await onScreen(['config', 'set', 'session', 'ses_0123456789'], 30, { all: true })).toEqual([
    'session is ses_0123456789 in',
    '  profile default',
  ])
})

test.each([
  [40, 'skipped  clock\n  not looked at: it needs the connection\n'],
  [60, 'skipped  clock          not looked at: it needs the\n                        connection\n'],
])('what doctor finds goes beside its name, or below it on %i columns', async (columns, expected) => {
  const lines = await onScreen(['doctor', '--base-url', 'http://127.0.0.1:1'], columns, { all: true })
  expect(lines.join('\n')).toContain(expected)
})

test('off a terminal nothing is broken, whatever COLUMNS says', async () => {
  const end = await toolHome().run(args, { env: { COLUMNS: '30', PRISM_API_KEY: 'a-key-of-12345678' } })
  expect(end.stderr).toBe(`error: no session was named\n${hint}\n`)
})
