import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configStore, type Profile } from '../../src/store/config.ts'
import { processTable } from '../../src/store/process-table.ts'
import { loadSettings, requireApiKey, resolveSettings, type SettingSources } from '../../src/store/settings.ts'
import { realClock } from '../helpers/real-clock.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const KEY = 'prism-key-1234'

function resolve(
  given: Partial<Omit<SettingSources, 'config'>> & { profiles?: Record<string, Profile>; current?: string },
) {
  const { profiles = {}, current, ...rest } = given
  return resolveSettings({
    flags: {},
    env: {},
    configPath: '/c/config.json',
    config: { version: 1, profiles, ...(current === undefined ? {} : { currentProfile: current }) },
    ...rest,
  })
}

function refusal(act: () => unknown) {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('was not refused')
}

test('has defaults for what needs a value', () => {
  expect(resolve({})).toEqual({
    profile: { value: 'default', origin: 'default' },
    profiles: [],
    apiKey: undefined,
    baseUrl: { value: 'https://api.herm.run', origin: 'default' },
    session: undefined,
    agent: undefined,
    caFile: undefined,
    timeoutMs: { value: 600_000, origin: 'default' },
    settleMs: { value: 30_000, origin: 'default' },
    configUnread: undefined,
  })
})

test('takes a flag before the environment before the profile, and says where each value came from', () => {
  const profiles = {
    default: {
      apiKey: 'profile-key',
      baseUrl: 'https://p.example',
      session: 'p',
      agent: 'p',
      timeout: '1m',
      settle: '1s',
    },
  }
  const env = { PRISM_API_KEY: KEY, HERM_BASE_URL: 'https://e.example', HERM_SESSION: 'e' }
  const flags = { baseUrl: 'https://f.example', session: 'f', agent: 'f', timeout: '2m', settle: '2s' }
  const fromProfile = 'profile default (/c/config.json)'
  expect(resolve({ profiles })).toMatchObject({
    apiKey: { value: 'profile-key', origin: fromProfile },
    baseUrl: { value: 'https://p.example', origin: fromProfile },
    session: { value: 'p', origin: fromProfile },
    agent: { value: 'p', origin: fromProfile },
    timeoutMs: { value: 60_000, origin: fromProfile },
    settleMs: { value: 1000, origin: fromProfile },
  })
  expect(resolve({ profiles, env })).toMatchObject({
    apiKey: { value: KEY, origin: 'environment PRISM_API_KEY' },
    baseUrl: { value: 'https://e.example', origin: 'environment HERM_BASE_URL' },
    session: { value: 'e', origin: 'environment HERM_SESSION' },
  })
  expect(resolve({ profiles, env, flags })).toMatchObject({
    apiKey: { value: KEY, origin: 'environment PRISM_API_KEY' },
    baseUrl: { value: 'https://f.example', origin: 'flag --base-url' },
    session: { value: 'f', origin: 'flag --session' },
    agent: { value: 'f', origin: 'flag --agent' },
    timeoutMs: { value: 120_000, origin: 'flag --timeout' },
    settleMs: { value: 2000, origin: 'flag --settle' },
  })
})

test('counts empty environment values as unset, and refuses an empty flag', () => {
  const env = { PRISM_API_KEY: '', HERM_BASE_URL: ' ', HERM_SESSION: '', HERM_TOOLS_PROFILE: '' }
  expect(resolve({ env })).toEqual(resolve({}))
  expect(refusal(() => resolve({ flags: { session: '' } }))).toMatchObject({
    kind: 'usage',
    message: '--session is empty',
  })
})

describe('the profile', () => {
  const profiles = { default: {}, a: { session: 'a' }, b: { session: 'b' }, c: { session: 'c' } }

  test('is named by flag, environment or config, in this order', () => {
    const env = { HERM_TOOLS_PROFILE: 'b' }
    expect(resolve({ profiles, current: 'c' }).profile).toEqual({ value: 'c', origin: 'config /c/config.json' })
    expect(resolve({ profiles, current: 'c', env }).session?.value).toBe('b')
    expect(resolve({ profiles, current: 'c', env, flags: { profile: 'a' } }).session?.value).toBe('a')
  })

  test.each(['none', 'toString', '__proto__'])('must exist when it is named: %s', (profile) => {
    const error = refusal(() => resolve({ profiles, flags: { profile } }))
    expect(error).toMatchObject({ kind: 'usage', message: `there is no profile ${profile} (flag --profile)` })
    expect(error).toMatchObject({ hint: expect.stringContaining('default, a, b, c') })
    expect(resolve({ profiles, flags: { profile }, mayCreateProfile: true }).profile.value).toBe(profile)
  })
})

describe('the API key', () => {
  test('loses white space around it', () => {
    expect(resolve({ env: { PRISM_API_KEY: ` ${KEY}\r\n` } }).apiKey?.value).toBe(KEY)
  })

  test.each([`${KEY}\n${KEY}`, `${KEY} x`, `${KEY}\u2014`, `${KEY}\0`])('is refused, unshown, when it is %j', (key) => {
    for (const [given, origin] of [
      [{ env: { PRISM_API_KEY: key } }, 'environment PRISM_API_KEY'],
      [{ profiles: { default: { apiKey: key } } }, 'profile default (/c/config.json)'],
    ] as const) {
      const error = refusal(() => resolve(given)) as Error
      expect(error).toMatchObject({ kind: 'auth', message: expect.stringContaining(origin) })
      expect(error.message).not.toContain(KEY)
    }
  })

  test('may be missing for a service on this machine alone', () => {
    expect(requireApiKey(resolve({ env: { PRISM_API_KEY: KEY } }))).toBe(KEY)
    expect(requireApiKey(resolve({ flags: { baseUrl: 'http://127.0.0.1:4711' } }))).toBeUndefined()
    expect(refusal(() => requireApiKey(resolve({})))).toMatchObject({
      kind: 'auth',
      hint: expect.stringContaining('auth login'),
    })
  })
})

describe('the base URL', () => {
  test.each([
    ['https://x.example/', 'https://x.example'],
    ['https://x.example/base//', 'https://x.example/base'],
    ['HTTPS://X.example:443', 'https://x.example'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.1.2.3', 'http://127.1.2.3'],
    ['http://[::1]:80/', 'http://[::1]'],
  ])('%s is %s', (baseUrl, value) => {
    expect(resolve({ flags: { baseUrl } }).baseUrl.value).toBe(value)
  })

  test.each([
    ['herm', 'is no URL'],
    ['ftp://x.example', 'neither http nor https'],
    ['https://me:pw@x.example', 'user name or password'],
    ['https://x.example/?a=1', 'query or a fragment'],
    ['https://x.example/#', 'query or a fragment'],
    ['http://x.example', 'plain http'],
    ['http://localhost.example', 'plain http'],
    ['http://127.0.0.1.example', 'plain http'],
    ['http://x.localhost', 'plain http'],
  ])('%s is refused: %s', (url, reason) => {
    const error = refusal(() => resolve({ env: { HERM_BASE_URL: url } })) as Error
    expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining(reason) })
    expect(error.message).toContain('environment HERM_BASE_URL')
    expect(error.message).not.toContain('pw')
  })

  test('may be plain http to another machine when that is asked for', () => {
    const flags = { baseUrl: 'http://x.example', allowInsecureHttp: true }
    expect(resolve({ flags }).baseUrl.value).toBe('http://x.example')
  })
})

test('the file of certificates is an absolute path, from a flag before the environment before the profile', () => {
  const profiles = { default: { caFile: '/p.pem' } }
  const env = { HERM_CA_FILE: 'e.pem' }
  expect(resolve({ profiles }).caFile).toEqual({ value: '/p.pem', origin: 'profile default (/c/config.json)' })
  expect(resolve({ profiles, env }).caFile).toEqual({
    value: join(process.cwd(), 'e.pem'),
    origin: 'environment HERM_CA_FILE',
  })
  expect(resolve({ profiles, env, flags: { caFile: '/f.pem' } }).caFile).toEqual({
    value: '/f.pem',
    origin: 'flag --ca-file',
  })
})

describe('durations', () => {
  test.each([
    ['45', 45_000],
    ['500ms', 500],
    ['1.5m', 90_000],
    ['1h30m', 5_400_000],
    ['30d', 2_592_000_000],
  ])('%s is %d ms', (timeout, ms) => {
    expect(resolve({ flags: { timeout } }).timeoutMs.value).toBe(ms)
  })

  test('none is a time to look for a result, and none to wait for', () => {
    expect(resolve({ flags: { settle: '0' } }).settleMs.value).toBe(0)
    expect(refusal(() => resolve({ flags: { timeout: '0s' } }))).toMatchObject({
      kind: 'usage',
      message: 'a timeout of "0s" from flag --timeout leaves no time to look',
    })
  })

  test.each(['soon', '-1s', '10 minutes', '1e3', 'Infinity', '366d', '1m2', 's'])('%s is refused', (settle) => {
    expect(refusal(() => resolve({ profiles: { default: { settle } } }))).toMatchObject({
      kind: 'usage',
      message: `"${settle}" from profile default (/c/config.json) is no duration`,
    })
  })
})

describe('loading', () => {
  function storeIn(directory: string) {
    return configStore({ directory, clock: realClock, processes: processTable(process), onWarning: () => {} })
  }

  /** A loop of links is refused also to root, under which tests may run. */
  async function unreadable() {
    const directory = join(temporaryFolder(), 'config')
    await mkdir(directory)
    await symlink('config.json', join(directory, 'config.json'))
    return storeIn(directory)
  }

  test('works from the environment alone when the config may not be read', async () => {
    const settings = await loadSettings({ flags: {}, env: { PRISM_API_KEY: KEY }, store: await unreadable() })
    expect(settings.apiKey?.value).toBe(KEY)
  })

  test('names the config that could not be read when the key is missed, and when a profile is named', async () => {
    const store = await unreadable()
    const settings = await loadSettings({ flags: {}, env: {}, store })
    expect(refusal(() => requireApiKey(settings))).toMatchObject({
      kind: 'auth',
      message: expect.stringContaining(`${store.path}: ELOOP`),
    })
    const named = loadSettings({ flags: { profile: 'a' }, env: { PRISM_API_KEY: KEY }, store })
    await expect(named).rejects.toMatchObject({ kind: 'failed' })
  })

  test('stops at a config that makes no sense, since its base URL would count', async () => {
    const directory = temporaryFolder()
    await writeFile(join(directory, 'config.json'), '{')
    const loaded = loadSettings({ flags: {}, env: { PRISM_API_KEY: KEY }, store: storeIn(directory) })
    await expect(loaded).rejects.toMatchObject({ kind: 'failed' })
  })
})
