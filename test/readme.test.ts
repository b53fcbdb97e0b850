import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { BUILT_IN_SCENARIO } from '../src/emulator/built-in-scenario.ts'
import { errorKinds } from '../src/errors.ts'
import { commandLineFaults, commandLines, commandNames, helpOf } from './helpers/command-line-faults.ts'
import { putProgramIn } from './helpers/program-in.ts'
import { runTool, startTool } from './helpers/run-tool.ts'
import { temporaryFolder } from './helpers/temporary-folder.ts'
import { toolHome } from './helpers/tool-home.ts'

const readme = readFileSync('README.md', 'utf8')
const pages = [
  ...['README.md', 'CHANGELOG.md'],
  ...['architecture', 'ci', 'emulator', 'performance', 'records', 'reliability'].map((name) => `docs/${name}.md`),
]
const allText = pages.map((path) => readFileSync(path, 'utf8')).join('\n')

it.each(['npm ci && npm run demo', 'npm ci && npm test'])('has the command %s on a line of its own', (command) => {
  expect(readme.split('\n')).toContain(command)
})

it.each(commandLines(codeBlocks(allText)))('names only what the program takes: %s', async (line) => {
  expect(await commandLineFaults(line, { isWhole: true })).toEqual([])
})

it.each(commandLines(inlineCode(allText)))('names only what the program takes, in a sentence: %s', async (line) => {
  expect(await commandLineFaults(line, { isWhole: false })).toEqual([])
})

it.each([
  ['herm-tools wach ses_01', 'no command wach'],
  ['herm-tools jobs lst', 'no command lst'],
  ['herm-tools pending --exit-status', 'no flag --exit-status'],
  ['herm-tools pending ses_01 --session --json', 'no value for --session'],
  ['herm-tools pending ses_01 ses_02', '2 arguments for [session]'],
  ['herm-tools config set session', '1 arguments for <key> <value>'],
])('would see the fault in %s', async (line, fault) => {
  expect(await commandLineFaults(line, { isWhole: true })).toEqual([fault])
})

it('lists every command', async () => {
  const rows = table('| command | does |').map(([command = '']) => command.split(/\W+/))
  const missing = []
  for (const name of commandNames(await helpOf([]))) {
    const row = rows.find((words) => words.includes(name)) ?? []
    const parts = commandNames(await helpOf([name]))
    missing.push(...[name, ...parts].filter((word) => !row.includes(word)))
  }
  expect(missing).toEqual([])
})

it('has the exit codes of errors.ts', () => {
  const kinds = Object.entries(errorKinds).map(([kind, { exitCode, meaning }]) => [String(exitCode), kind, meaning])
  const [done, ...failures] = table('| code | kind | meaning |')
  expect(done).toEqual(['0', 'done', 'done; also: this same result was already recorded'])
  expect(failures).toEqual(kinds)
})

it('has the variables of help environment', async () => {
  const variables = (await runTool(['help', 'environment', '--json'])).records()
  const configured = table('| setting | flag | variable | default |').flatMap(([, , name]) => name || [])
  const documented = [...configured, ...table('| variable | meaning |').map(([name]) => name)]
  expect(documented).toEqual(variables.flatMap(({ name }) => name ?? []))
})

it('has the records of help output in docs/records.md, each with the fields that it has', async () => {
  const records = table('| record | printed by | fields |', readFileSync('docs/records.md', 'utf8'))
  const documented = new Map(records.map(([name = '', , fields]) => [name, fields?.split(', ')]))
  const types = (await runTool(['help', 'output', '--json'])).records().flatMap(({ name }) => name ?? [])
  expect([...documented.keys()]).toEqual(types)

  const printed = new Map((await recordsOfASession()).map(({ type, ...fields }) => [type, Object.keys(fields)]))
  // These take a faulty connection, or a broken journal, and have tests of their own.
  const rare = ['frame', 'job_kept_aside', 'reconnected', 'result_updated'].map((name) => `herm_tools.${name}`)
  expect([...printed.keys()].sort()).toEqual(types.filter((name) => !rare.includes(String(name))))
  for (const [type, fields] of printed) expect(fields, String(type)).toEqual(documented.get(String(type)))
})

it('has blocks to try it with that work as they stand', async () => {
  const [, section = ''] = /^## Try it in a minute\n(.*?)^## /ms.exec(readme) ?? []
  const [, start = '', ...blocks] = codeBlocks(section)
  expect(start).toBe('npm run build\nnode bin/herm-tools.js emulator\n')
  const emulator = startTool(['emulator', '--port', '0'])
  await emulator.says(/\n/)
  const script = blocks.join('').replace('http://127.0.0.1:8787', emulator.stdout().trim())
  const { code, output, left } = await runScript(script, { cwd: dirname(dirname(inject('program'))) })
  expect(code, output).toBe(0)
  expect(output).toMatch(/accepted: custom_toolu_\w+_000001 is running/)
  expect(output).toMatch(/accepted: custom_toolu_\w+_000001 is completed/)
  expect(output).toMatch(/already recorded: custom_toolu_\w+_000001 is completed/)
  expect(output).toContain('agent  Your video is ready. Rendered: boat.mp4\n')
  // The folder that is to be thrown away.
  expect(left).toHaveLength(1)
})

it('has a CI script in docs/ci.md that works as it stands, and leaves nothing behind', async () => {
  const script = codeBlocks(readFileSync('docs/ci.md', 'utf8')).find((block) => block.includes('set -euo pipefail'))
  const { code, output, left } = await runScript(script ?? '')
  expect(code, output).toBe(0)
  expect(output).toMatch(/accepted: custom_toolu_\w+_000001 is completed/)
  expect(output).toMatch(/already recorded: custom_toolu_\w+_000001 is completed/)
  expect(left).toEqual([])
})

it.each([
  ['at once', []],
  ['after a kickoff', ['running', '--text', 'Soon.']],
])('has a scenario whose agent speaks when the call is completed %s', async (_when, kickoff) => {
  const home = toolHome()
  const scenario = join(home.folder, 'report.yaml')
  writeFileSync(scenario, codeBlocks(readme).find((block) => block.includes('agents:')) ?? '')
  const emulator = startTool(['emulator', '--port', '0', '--scenario', scenario])
  await emulator.says(/\n/)
  const env = { HERM_BASE_URL: emulator.stdout().trim(), HERM_SESSION: 'ses_report' }
  const run = async (...args: string[]) => {
    const end = await home.run(args, { env })
    expect(end.code, end.stderr).toBe(0)
    return end.stdout.trim()
  }
  await run('message', '--text', 'Sales in May')
  await run('watch', '--until', 'call=export_report')
  const call = ['--tool-use-id', await run('pending', '--field', 'tool_use_id')]
  if (kickoff.length > 0) await run(...kickoff, ...call)
  await run('complete', ...call, '--text', '12 pages')
  expect(await run('watch', '--until', 'idle')).toContain('agent  The report: 12 pages\n')
})

it.each(pages)('%s names only files that exist', (path) => {
  const text = readFileSync(path, 'utf8')
  const named = [...text.matchAll(/`((?:src|test|bin|docs|\.ci|\.config)\/[\w./-]*)`|\]\((?!http|#)([^)#]+)/g)]
  const paths = named.map(([, code, link]) => code ?? join(path, '..', link ?? ''))
  expect(paths.filter((one) => !existsSync(one))).toEqual([])
})

/** In bash, with the built program as `herm-tools`. `left` is what is left in the folder of temporary files. */
async function runScript(script: string, { cwd }: { cwd?: string } = {}) {
  const folder = temporaryFolder()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  putProgramIn(folder)
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: folder,
    XDG_CACHE_HOME: inject('cacheHome'),
    TMPDIR: temporary,
  }
  // A process group of its own: whatever the script starts can be ended with it.
  const child = spawn('bash', ['-c', script], {
    env,
    cwd: cwd ?? folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => endGroup(child.pid))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  return { code, output, left: readdirSync(temporary) }
}

function codeBlocks(text: string): string[] {
  return [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
}

function inlineCode(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/`(herm-tools [^`]+)`/g)].map(([, code = '']) => code)
}

/** The rows under this header, as the texts of their cells without backticks. */
function table(header: string, page = readme): string[][] {
  const [, rows = ''] = page.split(`${header}\n`)
  const [, ...lines] = rows.slice(0, rows.indexOf('\n\n')).split('\n')
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.replaceAll('`', '').trim()),
  )
}

/** One record, or more, of every type that the commands print when nothing goes wrong but one. */
async function recordsOfASession(): Promise<Record<string, unknown>[]> {
  const home = toolHome()
  const scenario = join(home.folder, 'scenario.yaml')
  writeFileSync(
    scenario,
    BUILT_IN_SCENARIO.replace('agents:\n', ASKING_AGENT).concat('  - { id: ses_ask, agent: asker }\n'),
  )
  const args = ['emulator', '--port', '0', '--seed', '1', '--scenario', scenario, '--json']
  const emulator = startTool(args, { env: home.env })
  await emulator.says(/\n/)
  const started = JSON.parse(emulator.stdout())
  const env = { HERM_BASE_URL: started.url, HERM_SESSION: 'ses_demo' }
  const records = [started]
  const id = 'custom_toolu_000001'
  for (const [args, stdin] of [
    [['message', '--text', 'A boat at sea']],
    [['pending']],
    [['running', '--tool-use-id', id, '--text', 'Rendering.']],
    [['wait']],
    [['complete', '--tool-use-id', id, '--text', 'Rendered.']],
    [['reconcile']],
    [['jobs', 'list']],
    [['jobs', 'forget', id]],
    [['jobs', 'show', id]],
    [['message', 'ses_ask', '--text', 'hello', '--wait']],
    [['message', 'ses_ask', '--text', 'deploy']],
    [['steer', 'ses_ask', '--text', 'quick']],
    [['approve', '--session', 'ses_ask', '--all']],
    [['interrupt', 'ses_ask']],
    [['auth', 'login', '--with-key', '--no-verify'], 'a-key-that-nobody-has'],
    [['auth', 'status']],
    [['doctor']],
    [['auth', 'logout']],
    [['config', 'set', 'timeout', '1h']],
    [['config', 'get', 'timeout']],
    [['config', 'path']],
    [['config', 'use', 'default']],
    [['help', 'exit-codes']],
    [['help', 'environment']],
    [['help', 'output']],
    [['help', 'files']],
  ] as [string[], string?][]) {
    const end = await home.run([...args, '--json'], { env, ...(stdin !== undefined && { stdin }) })
    records.push(...end.records())
    if (end.code !== 0) records.push(JSON.parse(end.stderr))
  }
  return records
}

const ASKING_AGENT = `agents:
  asker:
    - { when: message, matches: deploy, do: [{ call: { tool: deploy, policy: always_ask } }] }
    - { when: message, do: [{ say: hello }] }
`

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
