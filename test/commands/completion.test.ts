import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { runHere } from '../helpers/run-here.ts'
import { runTool } from '../helpers/run-tool.ts'
import { scriptedServer } from '../helpers/scripted-server.ts'
import { isFound, type TerminalShell, typeInShell } from '../helpers/shell-session.ts'
import { type ToolHome, toolHome } from '../helpers/tool-home.ts'

const BASE_URL = 'https://api.herm.run'

/** Asks as a script does with the cursor behind the last word; the first line of the answer, then the candidates. */
async function ask(home: ToolHome, line: string, env = {}): Promise<string[]> {
  const words = line.split(' ')
  const end = await runHere(['__complete', '--', String(words.length - 1), ...words], { env: { ...home.env, ...env } })
  expect(end).toMatchObject({ code: 0, stderr: '' })
  return end.stdout.trimEnd().split('\n')
}

async function valuesFor(home: ToolHome, line: string, env = {}): Promise<string[]> {
  const [kind, ...lines] = await ask(home, line, env)
  expect(kind).toBe('words')
  return lines.map((one) => one.split('\t')[0] ?? '')
}

/** A home whose journal has these calls, the first seen first, all in session ses_01. */
async function homeWith(...toolUseIds: string[]): Promise<ToolHome> {
  const home = toolHome()
  for (const toolUseId of toolUseIds) await home.journal.update(key(toolUseId), () => ({ toolName: 'render' }))
  return home
}

function key(toolUseId: string, sessionId = 'ses_01') {
  return { baseUrl: BASE_URL, sessionId, toolUseId }
}

describe('what is offered', () => {
  test('commands and subcommands, with their meaning', async () => {
    const home = toolHome()
    expect(await valuesFor(home, 'herm-tools ')).toEqual(
      expect.arrayContaining(['watch', 'auth', 'completion', 'help']),
    )
    expect(await valuesFor(home, 'herm-tools ')).not.toContain('__complete')
    expect(await ask(home, 'herm-tools --json auth ')).toEqual(
      expect.arrayContaining(['logout\tremove the API key from the profile']),
    )
  })

  test('flags of the command and of every command, behind a dash or where nothing else can stand', async () => {
    const home = toolHome()
    for (const line of ['herm-tools wait --t', 'herm-tools wait ses_01 ', 'herm-tools wait --timeout 5s x ']) {
      expect(await valuesFor(home, line)).toEqual(expect.arrayContaining(['--timeout', '--json', '--help']))
    }
    expect(await ask(home, 'herm-tools wait -- -')).toEqual(['words'])
  })

  test.each([
    ['herm-tools completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['herm-tools config get ', ['baseUrl', 'session']],
    ['herm-tools watch --until ', ['idle', 'call=']],
    ['herm-tools watch --until=', ['--until=idle', '--until=call=']],
    ['herm-tools help ', ['watch', 'exit-codes', 'protocol']],
    ['herm-tools help auth ', ['login']],
    ['herm-tools emulator --fault ', ['accepted-cut', 'stream-closed']],
    ['herm-tools schema ', ['result', 'event']],
    ['herm-tools kick', ['kickoff', 'running']],
    ['herm-tools watch --type ', ['agent.*', 'user.message']],
    ['herm-tools sessions list --status ', ['idle', 'running']],
  ])('%s', async (line, values) => {
    expect(await valuesFor(toolHome(), line)).toEqual(expect.arrayContaining(values))
  })

  test.each(['--file ', '--file=pa', '--ca-file '])('names of files for %s', async (flag) => {
    expect(await ask(toolHome(), `herm-tools complete ${flag}`)).toEqual(['files'])
  })

  test('profiles and their sessions', async () => {
    const home = await homeWith('call_1')
    home.writeConfig({ profiles: { default: {}, 'the other': { session: 'ses_other' } } })
    expect(await valuesFor(home, 'herm-tools watch --profile ')).toEqual(['default', 'the other'])
    expect(await valuesFor(home, 'herm-tools wait ')).toEqual(['ses_01', 'ses_other'])
  })

  test('calls for which the command has something to do, the latest first', async () => {
    const home = await homeWith('call_new', 'call_running', 'call_done')
    const recorded = { digest: 'd', recordedAt: '2026-01-01T00:00:00Z' }
    await home.journal.update(key('call_running'), (entry) => ({ ...entry, kickoff: recorded }))
    const final = { ...recorded, status: 'completed', source: 'accepted' } as const
    await home.journal.update(key('call_done'), (entry) => ({ ...entry, final }))
    const calls = (line: string) => valuesFor(home, `herm-tools ${line} `)
    expect(await ask(home, 'herm-tools running --tool-use-id ')).toEqual(['words', 'call_new\trender in ses_01'])
    expect(await calls('approve --tool-use-id')).toEqual(['call_new'])
    expect(await calls('complete --tool-use-id')).toEqual(['call_running', 'call_new'])
    expect(await calls('fail --session ses_01 --tool-use-id')).toEqual(['call_running', 'call_new'])
    expect(await calls('reconcile --tool-use-id')).toEqual(['call_done', 'call_running', 'call_new'])
    expect(await calls('jobs show')).toEqual(['call_done', 'call_running', 'call_new'])
    for (const elsewhere of ['--session ses_02', '--base-url https://other.example']) {
      expect(await calls(`reconcile ${elsewhere} --tool-use-id`)).toEqual([])
    }
  })
})

test('ids that hide something, or that would be read as flags, are not offered; others are as they are', async () => {
  const fine = ['a b', "it's", '$(x)', '`x`', 'a:b=c', '日本']
  const home = await homeWith(
    'two\nlines',
    'esc\u001b[31m',
    'tab\tbed',
    '--force',
    'x'.repeat(300),
    'zero\u200bwidth',
    ...fine,
  )
  expect(await valuesFor(home, 'herm-tools jobs show ')).toEqual(fine.reverse())
})

test('neither a broken config, nor a broken journal, nor nonsense is an error; and the service is not asked', async () => {
  const server = await scriptedServer(() => {
    throw new Error('it was asked')
  })
  const home = toolHome()
  home.writeConfig('{')
  const env = { HERM_BASE_URL: server.url, PRISM_API_KEY: 'a-key' }
  expect(await ask(home, 'herm-tools watch --profile ', env)).toEqual(['words'])
  expect(await valuesFor(home, 'herm-tools jobs show ', { HERM_TOOLS_STATE_DIR: '/dev/null' })).toEqual(
    expect.arrayContaining(['--json']),
  )
  for (const args of [[], ['--'], ['--', 'x'], ['--', '99', 'herm-tools'], ['--', '-1', 'a', 'b']]) {
    expect(await home.run(['__complete', ...args], { env })).toMatchObject({ code: 0, stderr: '' })
  }
  expect(server.requests).toEqual([])
})

test('completion prints a script; an unknown shell is wrong usage', async () => {
  const end = await runTool(['completion', 'bas'])
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toContain('hint: Did you mean bash? Choose from bash, zsh, fish, powershell.')
})

/** There is no PowerShell where these tests run: what can be seen from its script is that it evaluates nothing. */
test('the script for PowerShell inserts candidates in single quotes, and runs no text', async () => {
  const { stdout } = await runTool(['completion', 'powershell'])
  expect(stdout).toContain('Register-ArgumentCompleter -Native -CommandName herm-tools')
  expect(stdout).toContain("'^[A-Za-z0-9_.:/=+-]+$'")
  expect(stdout).not.toMatch(/Invoke-Expression|\biex\b|ScriptBlock\]::Create/i)
  expect(stdout).toMatch(/^[\n\x20-\x7e]*$/)
})

/** Each would run a command, or be another word, if a shell took it for what it looks like. */
const HOSTILE = [
  'a1$(touch pwned)',
  'a2`touch pwned`',
  "a3'; touch pwned; '",
  'a4"$(touch pwned)"',
  'a5 two words',
  'a6\\n',
  'a7&touch pwned&',
  'a8:b=c',
  'a9*?[x]{y,z}',
  'b1!!',
  'b2#;|<>()~',
  'b3%s%n',
  'b4é日本',
]

const shells: readonly TerminalShell[] = ['bash', 'zsh', 'fish']

describe.each(shells)('in a real %s', (shell) => {
  const inShell = it.runIf(isFound(shell) && isFound('script'))

  inShell.each([
    ['herm-tools wat\t', ['watch']],
    ['herm-tools auth log\ti\t', ['auth', 'login']],
    ['herm-tools --json complete --trunc\t', ['--json', 'complete', '--truncate']],
    ['herm-tools watch --until=ty\tx', ['watch', '--until=type=x']],
    ['herm-tools complete --file a\t', ['complete', '--file', 'a file']],
    ['herm-tools complete --file=a\t', ['complete', '--file=a file']],
    ['herm-tools no-such-\t', ['no-such-']],
  ])('%j', async (keys, args) => {
    const end = await typeInShell(shell, keys, { home: toolHome(), setUp: "touch 'a file'" })
    expect(end.args).toEqual(args)
    expect(end.screen).not.toMatch(/error|not found|bad|unknown/i)
  })

  inShell('an id is inserted as one word, whatever is in it, and runs nothing', async () => {
    const home = await homeWith(...HOSTILE)
    const flags = HOSTILE.map((id, at) => `--tool-use-id${at % 2 === 0 ? '=' : ' '}${id.slice(0, 2)}\t`)
    const { args } = await typeInShell(shell, `herm-tools fail ${flags.join(' ')}`, { home })
    const expected = HOSTILE.flatMap((id, at) => (at % 2 === 0 ? [`--tool-use-id=${id}`] : ['--tool-use-id', id]))
    expect(args).toEqual(['fail', ...expected])
    expect(existsSync(join(home.folder, 'pwned'))).toBe(false)
  })

  inShell('what is typed is not run before it is entered', async () => {
    const home = toolHome()
    const typed = 'herm-tools complete --text $(touch pwned) --trunc\t'
    await typeInShell(shell, `${typed}\u0001\u000bherm-tools end`, { home })
    expect(existsSync(join(home.folder, 'pwned'))).toBe(false)
  })
})

describe.each(shells)('within quotation marks in %s', (shell) => {
  it.runIf(isFound(shell) && isFound('script'))('an id is completed, and nothing is run', async () => {
    const home = await homeWith(...HOSTILE)
    const { args } = await typeInShell(shell, 'herm-tools fail --tool-use-id "a8\t', { home })
    expect(args).toEqual(['fail', '--tool-use-id', 'a8:b=c'])
  })
})

const bashCompletion = '/usr/share/bash-completion/bash_completion'

it.runIf(existsSync(bashCompletion))('in bash with the package bash-completion, and with nounset', async () => {
  const home = await homeWith(...HOSTILE)
  const setUp = `. ${bashCompletion}\nset -u`
  const { args } = await typeInShell('bash', 'herm-tools fail --tool-use-id=a8:\t --trunc\t', { home, setUp })
  expect(args).toEqual(['fail', '--tool-use-id=a8:b=c', '--truncate'])
})
