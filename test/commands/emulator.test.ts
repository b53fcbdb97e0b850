import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runTool, startTool } from '../helpers/run-tool.ts'
import { scriptedServer, status } from '../helpers/scripted-server.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const URL_LINE = /^http:\/\/127\.0\.0\.1:\d+\n$/

function start(...args: string[]) {
  return startTool(['emulator', '--port', '0', ...args], { env: { HOME: '/dev/null' } })
}

async function urlOf(run: ReturnType<typeof start>): Promise<string> {
  await run.says(URL_LINE)
  return run.stdout().trim()
}

it.each([
  ['SIGINT', 0],
  ['SIGTERM', 0],
] as const)('prints its URL alone when it is ready, and ends at %s with %i', async (signal, code) => {
  const run = start()
  const url = await urlOf(run)
  expect((await fetch(`${url}/v1/sessions/ses_demo`)).status).toBe(200)
  run.child.kill(signal)
  expect(await run.ended).toMatchObject({
    code,
    stdout: `${url}\n`,
    stderr: `use it with: export HERM_BASE_URL=${url}\n`,
  })
})

it('ends at once, streams that are open notwithstanding', async () => {
  const run = start('--quiet')
  const url = await urlOf(run)
  const request = get(`${url}/v1/sessions/ses_demo/events/stream`)
  request.on('error', () => {})
  const [stream] = await once(request, 'response')
  stream.on('error', () => {}).resume()
  run.child.kill('SIGTERM')
  expect(await run.ended).toMatchObject({ code: 0, stderr: '' })
})

it('prints one record with --json', async () => {
  const run = start('--json')
  await run.says(/\n/)
  run.child.kill('SIGINT')
  expect((await run.ended).records()).toEqual([
    { type: 'herm_tools.emulator', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
  ])
})

it('plays the scenario, asks for the key, and logs requests without it', async () => {
  const scenario = join(temporaryFolder(), 'film.yaml')
  writeFileSync(scenario, 'agents: { a: [] }\nsessions: [{ id: ses_film, agent: a }]\n')
  const run = start('--scenario', scenario, '--key', 'test-key-1234', '--verbose')
  const url = await urlOf(run)
  const tool = (key: string) =>
    runTool(['sessions', 'get', 'ses_film'], { env: { HERM_BASE_URL: url, PRISM_API_KEY: key, HOME: '/dev/null' } })
  expect((await tool('another-key')).code).toBe(4)
  expect(await tool('test-key-1234')).toMatchObject({ code: 0, stdout: expect.stringContaining('ses_film') })
  run.child.kill('SIGINT')
  const { stdout, stderr } = await run.ended
  expect(stdout).toBe(`${url}\n`)
  expect(stderr).toMatch(/^GET \/v1\/sessions\/ses_film 401 .*\nGET \/v1\/sessions\/ses_film 200 /m)
  expect(stderr).not.toContain('test-key-1234')
})

it('--answer-limit is how long a turn waits for an answer', async () => {
  const run = start('--answer-limit', '10ms')
  const url = await urlOf(run)
  const env = { HERM_BASE_URL: url, HOME: '/dev/null', HERM_TOOLS_STATE_DIR: temporaryFolder() }
  const content = [{ type: 'text', text: 'a film' }]
  await fetch(`${url}/v1/sessions/ses_demo/events`, {
    method: 'POST',
    body: JSON.stringify({ events: [{ type: 'user.message', content }] }),
  })
  expect(await runTool(['wait', 'ses_demo', '--timeout', '20s'], { env })).toMatchObject({
    code: 0,
    stdout: 'session ses_demo: idle\n',
  })
})

it('makes go wrong what --fault says, after what the scenario says, with the luck of --seed', async () => {
  const scenario = file(temporaryFolder(), 'agents: {}\nfaults: ["clock-skew=1h,count=0"]\nseed: 3\n')
  const run = start('--scenario', scenario, '--fault', 'history-error=503,p=0.5', '--fault', 'post-cut', '--seed', '7')
  const url = await urlOf(run)
  expect(await (await fetch(`${url}/_emulator/faults`)).json()).toEqual({
    seed: 7,
    faults: ['clock-skew=1h,count=0', 'history-error=503,p=0.5', 'post-cut'].map((fault) => ({
      fault,
      chances: 0,
      fired: 0,
    })),
  })
  await expect(fetch(`${url}/v1/sessions/ses_demo/events`, { method: 'POST' })).rejects.toThrow()
  run.child.kill('SIGINT')
  expect(await run.ended).toMatchObject({ code: 0 })
})

it('refuses an unknown fault and asks for the likely one', async () => {
  const end = await start('--fault', 'post-cutt').ended
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toMatch(/there is no fault "post-cutt"\nhint: Did you mean post-cut\? The faults are post-cut, /)
})

it.each<[string, (folder: string) => string[], string]>([
  ['a file that is not there', (folder) => ['--scenario', join(folder, 'no.yaml')], 'there is no such file'],
  ['a directory', (folder) => ['--scenario', folder], 'it is a directory'],
  ['bad YAML', (folder) => ['--scenario', file(folder, 'agents: [')], 'film.yaml, line '],
  [
    'a scenario with a mistake',
    (folder) => ['--scenario', file(folder, 'agents: { a: [{ do: 3 }] }')],
    'line 1: agents.a',
  ],
  ['an address of another machine', () => ['--host', '203.0.113.1'], 'cannot listen on 203.0.113.1'],
])('refuses %s as wrong usage', async (_name, args, words) => {
  const end = await start(...args(temporaryFolder())).ended
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toContain(words)
})

it('ends with 1 when the port is taken, and says what to do', async () => {
  const { port } = await scriptedServer([status(200)])
  const end = await runTool(['emulator', '--port', String(port)])
  expect(end).toMatchObject({ code: 1, stdout: '' })
  expect(end.stderr).toMatch(/port \d+: the port is taken\nhint: .*--port 0/)
})

function file(folder: string, text: string): string {
  const path = join(folder, 'film.yaml')
  writeFileSync(path, text)
  return path
}
