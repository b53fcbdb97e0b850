import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startEmulator } from '../helpers/emulator.ts'
import { startTool } from '../helpers/run-tool.ts'
import { startOnScreen } from '../helpers/screen.ts'
import { json, refusedPort, scriptedServer, startScriptedServer } from '../helpers/scripted-server.ts'
import { toolHome } from '../helpers/tool-home.ts'

const KEY = 'prism-secret-abcd1234'
const noSessions = json({ data: [], nextCursor: null })

function expectNoKey(...texts: string[]): void {
  for (const text of texts) expect(text).not.toContain(KEY.slice(0, -4))
}

it('login takes the key from stdin, trims it, checks it with one call, and stores it for its owner alone', async () => {
  const home = toolHome()
  const server = await scriptedServer([noSessions])
  const end = await home.run(['auth', 'login', '--with-key', '--base-url', `${server.url}/`], { stdin: ` ${KEY}\r\n` })

  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(end.stdout).toBe(
    `the key is good for ${server.url} (flag --base-url); key and address are stored in profile default (${home.configPath})\n`,
  )
  expect(server.requests).toMatchObject([{ method: 'GET', url: '/v1/sessions?limit=1', headers: { 'x-api-key': KEY } }])
  expect(home.profiles()).toEqual({ default: { apiKey: KEY, baseUrl: server.url } })
  expect(statSync(home.configPath).mode & 0o777).toBe(0o600)
})

it('login prints one record, and stores into the profile that is named', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { session: 'ses_1' } } })
  const end = await home.run(['auth', 'login', '--with-key', '--no-verify', '--profile', 'a.b', '--json'], {
    stdin: KEY,
  })

  expect(end.stderr).toBe('a new profile was made: a.b\n')
  expect(end.records()).toEqual([
    {
      type: 'herm_tools.login',
      profile: 'a.b',
      base_url: 'https://api.herm.run',
      key_last4: '1234',
      verified: false,
      path: home.configPath,
    },
  ])
  expect(home.profiles()).toEqual({ default: { session: 'ses_1' }, 'a.b': { apiKey: KEY } })
})

it('login keeps the rest of the profile, and stores with the key the address that it is for', async () => {
  const home = toolHome()
  const server = await scriptedServer([noSessions])
  home.writeConfig({ profiles: { default: { session: 'ses_1', apiKey: 'bad key' } } })
  const env = { HERM_BASE_URL: server.url, PRISM_API_KEY: 'another-key-9999' }
  const end = await home.run(['auth', 'login', '--with-key'], { stdin: KEY, env })

  expect(end.code).toBe(0)
  expect(server.requests[0]?.headers['x-api-key']).toBe(KEY)
  expect(home.profiles()).toEqual({ default: { session: 'ses_1', apiKey: KEY, baseUrl: server.url } })
  expect(end.stdout).toContain(`for ${server.url} (environment HERM_BASE_URL); key and address are stored in profile`)
  expect(end.stderr).toContain('warning: PRISM_API_KEY is set, and wins')
})

it.each([401, 403])('login stores nothing when the key is refused with %i', async (status) => {
  const home = toolHome()
  const refusal = json({ error: { code: 'unauthorized', message: `bad key ${KEY}` } }, { status })
  const server = await scriptedServer([refusal])
  const end = await home.run(['auth', 'login', '--with-key', '--base-url', server.url], { stdin: KEY })

  expect(end).toMatchObject({ code: 4, stdout: '' })
  expect(end.stderr).toMatch(/^error: the key was refused: .*unauthorized: bad key \[key\]\nhint: Nothing was stored\./)
  expect(server.requests).toHaveLength(1)
  expect(readdirSync(home.folder)).toEqual([])
  expectNoKey(end.stderr)
})

it('login stores nothing when the service cannot be reached, and names the way without a check', async () => {
  const home = toolHome()
  const url = `http://127.0.0.1:${await refusedPort()}`
  const end = await home.run(['auth', 'login', '--with-key', '--base-url', url], { stdin: KEY })

  expect(end).toMatchObject({ code: 9, stdout: '' })
  expect(end.stderr).toMatch(/the key could not be checked: .*ECONNREFUSED/)
  expect(end.stderr).toContain('--no-verify')
  expect(readdirSync(home.folder)).toEqual([])
})

it.each([
  ['nothing', '\n', 2, 'standard input held no key'],
  ['two lines', 'one-key\nanother-key\n', 4, 'holds a space, a line break'],
  ['letters that no header takes', 'clé-secrète', 4, 'holds a space, a line break'],
  ['quotation marks around it', `'${KEY}'\n`, 4, 'stands in quotation marks'],
  ['far too much', 'x'.repeat(100_000), 2, 'more than a key'],
])('login refuses %s on stdin before anything is asked or stored', async (_name, stdin, code, words) => {
  const home = toolHome()
  const server = await scriptedServer([noSessions])
  const end = await home.run(['auth', 'login', '--with-key', '--base-url', server.url], { stdin })
  expect(end).toMatchObject({ code, stdout: '' })
  expect(end.stderr).toContain(words)
  expect(server.requests).toEqual([])
  expect(readdirSync(home.folder)).toEqual([])
})

it('login without a terminal names the flag and does not read stdin', async () => {
  const end = await toolHome().run(['auth', 'login'], { stdin: KEY })
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toContain('--with-key')
})

it.each([[[KEY]], [['--key', KEY]], [[`--key=${KEY}`]], [['--with-key', KEY]], [[`--with-key=${KEY}`]]])(
  'login answers a key on the command line with advice and never repeats it',
  async (args) => {
    const end = await toolHome().run(['auth', 'login', ...args], { stdin: KEY })
    expect(end).toMatchObject({ code: 2, stdout: '' })
    expect(end.stderr).toContain('it is now in the shell history')
    expectNoKey(end.stderr)
  },
)

it.each([[[]], [['--with-key']]])(
  'login asks for the key at a terminal, shows nothing of it, and takes it with the line breaks of a paste: %s',
  async (flags) => {
    const home = toolHome()
    const screen = startOnScreen(['auth', 'login', '--no-verify', ...flags], { env: home.env, columns: 100 })
    await screen.shows(/API key/)
    screen.type(`\r\r${KEY}\r`)
    expect(await screen.ended).toBe(0)
    expectNoKey(screen.text())
    expect(home.profiles()).toEqual({ default: { apiKey: KEY } })
  },
)

it('login ends with 130 at Ctrl-C at the prompt, and stores nothing', async () => {
  const home = toolHome()
  const screen = startOnScreen(['auth', 'login', '--no-verify'], { env: home.env, columns: 100 })
  await screen.shows(/API key/)
  screen.type(`${KEY}\x03`)
  expect(await screen.ended).toBe(130)
  expectNoKey(screen.text())
  expect(existsSync(home.configPath)).toBe(false)
})

it('login tells an unknown option from a key', async () => {
  const end = await toolHome().run(['auth', 'login', '--no-verfy'])
  expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown option '--no-verfy'") })
})

it('login ends with 143 when it is terminated while it checks, and stores nothing', async () => {
  const home = toolHome()
  const server = await startScriptedServer(() => new Promise(() => {}))
  try {
    const run = startTool(['auth', 'login', '--with-key', '--base-url', server.url], { stdin: KEY, env: home.env })
    await server.arrived(1)
    run.child.kill('SIGTERM')
    expect(await run.ended).toMatchObject({ code: 143, stdout: '' })
    expect(readdirSync(home.folder)).toEqual([])
  } finally {
    await server.close()
  }
})

it('leaves a broken config file as it is, byte for byte', async () => {
  const home = toolHome()
  const broken = `{"version":1,"profiles":{"default":{"apiKey":"${KEY}"},}}\n`
  home.writeConfig(broken)
  const commands = [
    ['auth', 'login', '--with-key', '--no-verify'],
    ['auth', 'status'],
    ['auth', 'logout'],
    ['config', 'set', 'session', 'ses_1'],
    ['config', 'unset', 'session'],
    ['config', 'list'],
  ]
  for (const args of commands) {
    const end = await home.run(args, { stdin: 'some-other-key-5678' })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toContain(`the config ${home.configPath} is no JSON`)
    expectNoKey(end.stderr)
    expect(home.config()).toBe(broken)
  }
})

it('status says which key is in force and where it came from', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { apiKey: KEY } } })
  const end = await home.run(['auth', 'status'])
  const origin = `profile default (${home.configPath})`
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(end.stdout).toBe(
    `profile  default (default)\nservice  https://api.herm.run (default)\nkey      …1234 (${origin})\n`,
  )
})

it('status lists the profiles, where there are several, and says which one is in force', async () => {
  const home = toolHome()
  home.writeConfig(
    JSON.stringify({
      version: 1,
      currentProfile: 'b',
      profiles: { a: { apiKey: KEY }, b: { apiKey: 'key-of-b-5678' } },
    }),
  )
  const { stdout } = await home.run(['auth', 'status'])
  expect(stdout.split('\n')).toEqual([
    `profile   b (config ${home.configPath})`,
    'service   https://api.herm.run (default)',
    `key       …5678 (profile b (${home.configPath}))`,
    'profiles  a, b',
    '',
  ])
})

it('status points out a key of the environment that overrides a stored one', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { work: { apiKey: 'the-stored-key-5678', baseUrl: 'https://herm.example/' } } })
  const end = await home.run(['auth', 'status', '--json'], { env: { PRISM_API_KEY: KEY, HERM_TOOLS_PROFILE: 'work' } })
  expect(end.code).toBe(0)
  expect(end.records()).toEqual([
    {
      type: 'herm_tools.auth',
      profile: 'work',
      profile_origin: 'environment HERM_TOOLS_PROFILE',
      base_url: 'https://herm.example',
      base_url_origin: `profile work (${home.configPath})`,
      key_in_force: true,
      key_last4: '1234',
      key_origin: 'environment PRISM_API_KEY',
      key_needed: true,
      overrides_stored_key: true,
      profiles: ['work'],
    },
  ])
  expect(end.stderr).toBe('warning: PRISM_API_KEY overrides the key stored in profile work\n')
})

it('status shows nothing of a short key', async () => {
  const end = await toolHome().run(['auth', 'status'], { env: { PRISM_API_KEY: 'key-efgh' } })
  expect(end.code).toBe(0)
  expect(end.stdout).toContain('key      … (environment PRISM_API_KEY)')
  expect(end.stdout).not.toContain('efgh')
})

it('status ends with 4 when no key is in force, after it has said the rest', async () => {
  const end = await toolHome().run(['auth', 'status', '--json'], { env: { PRISM_API_KEY: '' } })
  expect(end.code).toBe(4)
  expect(end.records()).toMatchObject([{ key_in_force: false, key_last4: null, key_origin: null, key_needed: true }])
  expect(JSON.parse(end.stderr)).toMatchObject({ type: 'herm_tools.error', code: 'auth', exit_code: 4 })
})

it('status needs no key for a service on this machine', async () => {
  const end = await toolHome().run(['auth', 'status', '--base-url', 'http://127.0.0.1:8787'])
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(end.stdout).toContain('key      none; a service on this machine may do without')
})

it('status works with a key in the environment and a home that cannot be read or written', async () => {
  const home = toolHome()
  chmodSync(home.folder, 0o500)
  const readOnly = await home.run(['auth', 'status'], { env: { PRISM_API_KEY: KEY } })
  const noHome = await home.run(['auth', 'status'], {
    env: { PRISM_API_KEY: KEY, HOME: '/dev/null', HERM_TOOLS_CONFIG_DIR: '', HERM_TOOLS_STATE_DIR: '' },
  })
  for (const end of [readOnly, noHome]) expect(end).toMatchObject({ code: 0, stderr: '' })
})

it('logout removes the key alone, and says when another stays in force', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { apiKey: KEY, session: 'ses_1' }, other: { apiKey: 'stays' } } })
  const end = await home.run(['auth', 'logout'], { env: { PRISM_API_KEY: 'another-key-9999' } })
  expect(end).toMatchObject({ code: 0, stdout: 'the key of profile default is removed\n' })
  expect(end.stderr).toBe('warning: PRISM_API_KEY is set, and stays in force\n')
  expect(home.profiles()).toEqual({ default: { session: 'ses_1' }, other: { apiKey: 'stays' } })
})

it('logout gets rid of a key that no command would take', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { apiKey: 'bad key', timeout: 'soon' } } })
  const end = await home.run(['auth', 'logout', '--json'])
  expect(end.records()).toEqual([{ type: 'herm_tools.logout', profile: 'default', removed: true }])
  expect(home.profiles()).toEqual({ default: { timeout: 'soon' } })
})

it('logout without a stored key writes nothing', async () => {
  const home = toolHome()
  const end = await home.run(['auth', 'logout'])
  expect(end).toMatchObject({ code: 0, stdout: 'profile default holds no key\n', stderr: '' })
  expect(readdirSync(home.folder)).toEqual([])
})

it('a local service that wants a key is told apart from one that does without', async () => {
  const { url } = await startEmulator({ apiKey: KEY })
  const home = toolHome()
  const env = { HERM_BASE_URL: url }
  const refused = await home.run(['sessions', 'list'], { env })
  expect(refused.code).toBe(4)
  expect(refused.stderr).toContain('hint: No key was sent, and this service wants one: set PRISM_API_KEY')
  const wrong = await home.run(['sessions', 'list'], { env: { ...env, PRISM_API_KEY: 'another-key-9999' } })
  expect(wrong.stderr).toContain('hint: Run `herm-tools auth status`')
  const doctor = (await home.run(['doctor', '--json'], { env })).records()
  expect(doctor.find(({ check }) => check === 'key')).toMatchObject({
    outcome: 'ok',
    found: 'none; a service on this machine may do without',
  })
  expect(doctor.find(({ check }) => check === 'request')).toMatchObject({
    outcome: 'problem',
    advice: expect.stringContaining('No key was sent'),
  })
})

it('login asks again after Ctrl-Z and fg, and shows no key then either', async () => {
  const home = toolHome()
  const screen = startOnScreen(['auth', 'login', '--no-verify'], { env: home.env, columns: 200, inShell: true })
  await screen.shows(/API key/)
  screen.type('\x1a')
  await screen.shows(/Stopped/)
  screen.type('fg\n')
  await screen.shows(/fg\n[\s\S]*API key/)
  screen.type(`${KEY}\n`)
  await screen.shows(/stored in profile default/)
  screen.type('echo ended: $?\n')
  await screen.shows(/ended: 0/)
  screen.type('exit\n')
  await screen.ended
  expectNoKey(screen.text())
  expect(home.profiles()).toEqual({ default: { apiKey: KEY } })
})
