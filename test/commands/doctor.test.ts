import { chmodSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { checkVersion } from '../../src/session/doctor/check-version.ts'
import type { Installation } from '../../src/session/doctor/finding.ts'
import { authority } from '../helpers/authority.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { proxyServer } from '../helpers/proxy-server.ts'
import { startTool, type ToolEnd } from '../helpers/run-tool.ts'
import {
  html,
  json,
  neverAnswers,
  refusedPort,
  type Script,
  scriptedServer,
  status,
} from '../helpers/scripted-server.ts'
import { testClock } from '../helpers/test-clock.ts'
import { tlsFront } from '../helpers/tls-front.ts'
import { toolHome } from '../helpers/tool-home.ts'

const KEY = 'prism-secret-abcd1234'

interface CheckRecord {
  readonly check: string
  readonly outcome: string
  readonly found: string
  readonly advice: string | null
  readonly facts: object
}

function checksOf(end: ToolEnd) {
  const records = end.records() as unknown as CheckRecord[]
  const remarks = records.filter(({ outcome }) => outcome !== 'ok').map(({ check, outcome }) => [check, outcome])
  return {
    names: records.map(({ check }) => check),
    /** The outcomes other than `ok`, by check. */
    remarks: Object.fromEntries(remarks) as { [check: string]: string },
    of(name: string): CheckRecord {
      const record = records.find(({ check }) => check === name)
      if (record === undefined) throw new Error(`there was no check ${name}`)
      return record
    },
  }
}

const allChecks = [
  'version',
  'config_folder',
  'config_file',
  'state_folder',
  'journal',
  'settings',
  'service',
  'key',
  'proxy',
  'certificates',
  'host_name',
  'connection',
  'clock',
  'request',
  'stream',
]

const noSessions = json({ data: [], nextCursor: null })

it('finds no problem where all is well, and leaves nothing behind', async () => {
  const home = toolHome()
  const { url } = await startEmulator({ clock: testClock(Date.now()) })
  const end = await home.run(['doctor', '--json'], { env: { HERM_BASE_URL: url } })
  expect(end).toMatchObject({ code: 0, stderr: 'no problem was found\n' })
  const { names, remarks, of } = checksOf(end)
  expect(names).toEqual(allChecks)
  expect(remarks).toEqual({})
  expect(of('version').found).toBe(`herm-tools ${packageJson.version} on Node.js ${process.versions.node}`)
  expect(of('stream').facts).toMatchObject({ session_id: 'ses_demo', head_ms: expect.any(Number) })
  expect(readdirSync(home.folder)).toEqual([])
})

it('knows the oldest Node.js that is supported', async () => {
  const check = (node: string) => checkVersion({ version: '1.0.0', runtime: { node, userId: 0 } } as Installation)
  const oldest = packageJson.engines.node.replace('>=', '')
  expect(await check(oldest)).toMatchObject({ outcome: 'ok' })
  expect(await check('22.0.0')).toMatchObject({ outcome: 'ok' })
  expect(await check('20.9.0')).toMatchObject({ outcome: 'problem', advice: `Install Node.js ${oldest} or later.` })
})

it('says for a person what is wrong and what to do, and which problem to begin with', async () => {
  const home = toolHome()
  const end = await home.run(['doctor', '--base-url', `http://127.0.0.1:${await refusedPort()}`])
  expect(end.code).toBe(9)
  expect(end.stdout).toMatch(/^ok {7}state folder {3}\S+ does not exist yet; it can be made$/m)
  expect(end.stdout).toMatch(
    /^problem {2}connection {5}GET .* failed: the connection was refused \(ECONNREFUSED\)\n {24}\S/m,
  )
  expect(end.stdout).toMatch(/^skipped {2}stream {9}not looked at: it needs the request$/m)
  expect(end.stderr).toBe('error: a problem was found\nhint: Begin with the first, connection.\n')
})

describe('the files', () => {
  it('that others may read are a warning, and no problem', async () => {
    const home = toolHome()
    const server = await scriptedServer([noSessions])
    home.writeConfig({ profiles: { default: { apiKey: KEY, baseUrl: server.url } } })
    chmodSync(home.configPath, 0o644)
    const end = await home.run(['doctor', '--json'])
    expect(end.code).toBe(0)
    expect(checksOf(end).remarks).toEqual({ config_file: 'warning', stream: 'skipped' })
    expect(checksOf(end).of('config_file').advice).toBe(`Run: chmod 600 ${home.configPath}`)

    chmodSync(join(home.configPath, '..'), 0o750)
    mkdirSync(join(home.stateDir, 'journal'), { recursive: true, mode: 0o755 })
    const { remarks, of } = checksOf(await home.run(['doctor', '--json']))
    expect(remarks).toMatchObject({ config_folder: 'warning', state_folder: 'warning' })
    expect(of('state_folder').advice).toBe(`Run: chmod 700 ${join(home.stateDir, 'journal')}`)
    expect(readdirSync(home.stateDir)).toEqual(['journal'])
  })

  it('that make no sense, or are of a later version, are a problem, and stay as they are', async () => {
    const home = toolHome()
    for (const [text, words] of [
      [`{"version":1,"profiles":{"default":{"apiKey":"${KEY}"},}}`, 'is no JSON'],
      ['{"version":2,"profiles":[]}', 'a later herm-tools wrote the config'],
    ] as const) {
      home.writeConfig(text)
      const end = await home.run(['doctor', '--json'])
      expect(end.code).toBe(1)
      const { of, remarks } = checksOf(end)
      expect(of('config_file')).toMatchObject({ outcome: 'problem', found: expect.stringContaining(words) })
      expect(remarks).toMatchObject({ settings: 'skipped', connection: 'skipped' })
      expect(end.stdout).not.toContain('prism-secret')
      expect(home.config()).toBe(text)
    }
  })

  it('cannot be written where a home is none: that is a problem', async () => {
    const env = { HOME: '/dev/null', HERM_TOOLS_CONFIG_DIR: '', HERM_TOOLS_STATE_DIR: '', PRISM_API_KEY: KEY }
    const server = await scriptedServer([noSessions])
    const end = await toolHome().run(['doctor', '--json', '--base-url', server.url], { env })
    expect(end.code).toBe(1)
    expect(checksOf(end).remarks).toEqual({ state_folder: 'problem', stream: 'skipped' })
    expect(checksOf(end).of('state_folder').advice).toContain('HERM_TOOLS_STATE_DIR')
  })

  it('of the journal with something in doubt are a warning, those that are broken a problem', async () => {
    const home = toolHome()
    const server = await scriptedServer([noSessions])
    const key = { baseUrl: server.url, sessionId: 'ses_1', toolUseId: 'custom_toolu_1' }
    const intent = { status: 'completed', digest: 'd', attempt: 1, writtenAt: '2026-01-01T00:00:00Z' } as const
    await home.journal.update(key, () => ({
      intent: { ...intent, forced: false, token: 't', knownResultEventIds: [] },
    }))
    const args = ['doctor', '--json', '--base-url', server.url]
    const doubt = await home.run(args)
    expect(doubt.code).toBe(0)
    expect(checksOf(doubt).of('journal')).toMatchObject({
      outcome: 'warning',
      advice: 'Run: herm-tools reconcile',
      facts: { entries: 1, in_doubt: 1, kept_aside: 0 },
    })

    const folder = join(home.stateDir, 'journal')
    const [entry = ''] = readdirSync(folder)
    writeFileSync(join(folder, entry), 'nonsense')
    const broken = await home.run(args)
    expect(broken.code).toBe(1)
    expect(checksOf(broken).of('journal')).toMatchObject({ outcome: 'problem', found: expect.stringContaining(entry) })

    renameSync(join(folder, entry), join(folder, `${entry}.broken-2026-01-01T000000.000Z`))
    expect(checksOf(await home.run(args)).of('journal')).toMatchObject({ outcome: 'ok', facts: { kept_aside: 1 } })
  })
})

describe('the key', () => {
  it('that is missing is a problem of its own kind, and no request is made with none', async () => {
    const ca = await authority()
    const server = await scriptedServer([status(401)])
    const proxy = await proxyServer({ toPort: await tlsFront(await ca.issue('herm.test'), { toPort: server.port }) })
    const end = await toolHome().run(['doctor', '--json', '--base-url', 'https://herm.test', '--ca-file', ca.file], {
      env: { HTTPS_PROXY: proxy.url },
    })
    expect(end.code).toBe(4)
    expect(checksOf(end).remarks).toEqual({ key: 'problem', request: 'skipped', stream: 'skipped' })
  })

  it.each([
    ['is refused', KEY, 'request'],
    ['stands in quotation marks', `"${KEY}"`, 'settings'],
  ])('that %s ends it with 4', async (_name, key, check) => {
    const server = await scriptedServer([
      json({ error: { code: 'unauthorized', message: `bad ${KEY}` } }, { status: 401 }),
    ])
    const end = await toolHome().run(['doctor', '--json'], { env: { HERM_BASE_URL: server.url, PRISM_API_KEY: key } })
    expect(end.code).toBe(4)
    expect(checksOf(end).of(check).outcome).toBe('problem')
    expect(end.stdout + end.stderr).not.toContain('prism-secret')
  })

  it('of the environment that wins over a stored one is a warning', async () => {
    const home = toolHome()
    const server = await scriptedServer([noSessions])
    home.writeConfig({ profiles: { default: { apiKey: 'the-stored-key-5678', baseUrl: server.url } } })
    const end = await home.run(['doctor', '--json'], { env: { PRISM_API_KEY: KEY } })
    expect(end.code).toBe(0)
    expect(checksOf(end).of('key')).toMatchObject({
      outcome: 'warning',
      found: '…1234 (environment PRISM_API_KEY) wins over the key that is stored in profile default',
      facts: { last4: '1234' },
    })
  })
})

describe('the service', () => {
  it.each<[string, Script, Record<string, string>]>([
    ['answers with a page', [html('<html>Log in</html>')], { request: 'problem', stream: 'skipped' }],
    ['is overloaded', [status(503)], { request: 'problem', stream: 'skipped' }],
    [
      'has another time',
      [json({ data: [] }, { headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' } })],
      { clock: 'warning', stream: 'skipped' },
    ],
    ['has not the session', ({ url }) => (url.includes('/stream') ? status(404) : noSessions), { stream: 'problem' }],
  ])('that %s is told as such, after one try', async (_name, script, remarks) => {
    const server = await scriptedServer(script)
    const end = await toolHome().run(['doctor', '--json', '--base-url', server.url], {
      env: { ...('request' in remarks || 'clock' in remarks ? {} : { HERM_SESSION: 'ses_gone' }) },
    })
    expect(end.code).toBe(Object.values(remarks).includes('problem') ? 1 : 0)
    expect(checksOf(end).remarks).toEqual(remarks)
    expect(server.requests.filter(({ url }) => !url.includes('/stream'))).toHaveLength(1)
  })

  it('is reached through a proxy, whose password is not shown; one that holds streams back is a problem', async () => {
    const { port } = new URL((await startEmulator({ clock: testClock(Date.now()) })).url)
    const proxy = await proxyServer({ toPort: Number(port), login: 'me:s3cret-word', buffers: true })
    const end = await toolHome().run(['doctor', '--json', '--base-url', 'http://herm.test', '--allow-insecure-http'], {
      env: { HTTP_PROXY: proxy.url.replace('//', '//me:s3cret-word@'), PRISM_API_KEY: KEY },
    })
    expect(end.code).toBe(1)
    const { remarks, of } = checksOf(end)
    expect(remarks).toEqual({ service: 'warning', stream: 'problem' })
    expect(of('proxy').found).toBe(`${proxy.url} (HTTP_PROXY)`)
    expect(of('stream').advice).toContain('text/event-stream')
    expect(end.stdout).not.toContain('s3cret')
  })

  it('that never answers does not hold up Ctrl-C', async () => {
    const server = await scriptedServer([neverAnswers])
    const run = startTool(['doctor', '--base-url', server.url], { env: toolHome().env })
    await server.arrived(1)
    run.child.kill('SIGINT')
    expect(await run.ended).toMatchObject({ code: 130 })
  })
})

describe('certificates', () => {
  it('are told with their authority; one that soon expires, and an extra file that is missing, are warnings', async () => {
    const ca = await authority()
    const server = await scriptedServer([noSessions])
    const soon = await ca.issue('localhost', { to: new Date(Date.now() + 3 * 24 * 3_600_000) })
    const url = `https://localhost:${await tlsFront(soon, { toPort: server.port })}`
    const end = await toolHome().run(['doctor', '--json', '--base-url', url, '--ca-file', ca.file], {
      env: { NODE_EXTRA_CA_CERTS: '/nonexistent.pem' },
    })
    expect(end.code).toBe(0)
    const { remarks, of } = checksOf(end)
    expect(remarks).toEqual({ certificates: 'warning', connection: 'warning', stream: 'skipped' })
    expect(of('certificates').found).toContain('/nonexistent.pem')
    expect(of('connection').facts).toMatchObject({
      protocol: 'TLSv1.3',
      issuer: expect.stringContaining('Test authority'),
    })
  })

  it('of an authority that is not known are a problem of the connection', async () => {
    const server = await scriptedServer([noSessions])
    const identity = await (await authority()).issue('localhost')
    const url = `https://localhost:${await tlsFront(identity, { toPort: server.port })}`
    const end = await toolHome().run(['doctor', '--json', '--base-url', url])
    expect(end.code).toBe(9)
    expect(checksOf(end).of('connection')).toMatchObject({
      outcome: 'problem',
      advice: expect.stringContaining('--ca-file'),
    })
  })

  it('in a file that is missing stop it before anything is sent', async () => {
    const server = await scriptedServer([noSessions])
    const end = await toolHome().run(['doctor', '--json', '--base-url', server.url, '--ca-file', '/nonexistent.pem'])
    expect(end.code).toBe(1)
    expect(checksOf(end).remarks).toMatchObject({ certificates: 'problem', connection: 'skipped' })
    expect(server.connections()).toBe(0)
  })
})
