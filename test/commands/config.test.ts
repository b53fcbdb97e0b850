import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, inject, it } from 'vitest'
import { toolHome } from '../helpers/tool-home.ts'

it('list shows every setting with its value in force and its origin, the key masked', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { apiKey: 'prism-secret-abcd1234', timeout: '90m', session: 'ses_1' } } })
  const stored = `profile default (${home.configPath})`
  const end = await home.runHere(['config', 'list', '--json'], { env: { HERM_SESSION: 'ses_env' } })
  expect(end.records()).toEqual([
    { type: 'herm_tools.setting', key: 'apiKey', value: '…1234', origin: stored },
    { type: 'herm_tools.setting', key: 'baseUrl', value: 'https://api.herm.run', origin: 'default' },
    { type: 'herm_tools.setting', key: 'session', value: 'ses_env', origin: 'environment HERM_SESSION' },
    { type: 'herm_tools.setting', key: 'agent', value: null, origin: null },
    { type: 'herm_tools.setting', key: 'caFile', value: null, origin: null },
    { type: 'herm_tools.setting', key: 'timeout', value: '1h30m', origin: stored },
    { type: 'herm_tools.setting', key: 'settle', value: '30s', origin: 'default' },
  ])
})

it('list is a table for a person', async () => {
  const end = await toolHome().runHere(['config', 'list', '--base-url', 'http://127.0.0.1:1'])
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(end.stdout.split('\n').slice(0, 3)).toEqual([
    'KEY      VALUE               ORIGIN',
    'apiKey   -                   -',
    'baseUrl  http://127.0.0.1:1  flag --base-url',
  ])
})

it('set stores into the profile in force and keeps the rest; get and unset go by the same profile', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { apiKey: 'key' } } })
  const set = await home.runHere(['config', 'set', 'timeout', ' 1h30m ', '--profile', 'night'])
  expect(set).toMatchObject({ code: 0, stdout: 'timeout is 1h30m in profile night\n' })
  expect(set.stderr).toBe('a new profile was made: night\n')
  expect(home.profiles()).toEqual({ default: { apiKey: 'key' }, night: { timeout: '1h30m' } })

  const get = await home.runHere(['config', 'get', 'timeout', '--profile', 'night'])
  expect(get).toMatchObject({ code: 0, stdout: '1h30m\n' })
  expect(await home.runHere(['config', 'get', 'timeout'])).toMatchObject({ code: 0, stdout: '10m\n' })

  const unset = await home.runHere(['config', 'unset', 'timeout', '--profile', 'night', '--json'])
  expect(unset.records()).toEqual([
    { type: 'herm_tools.setting_changed', profile: 'night', key: 'timeout', value: null },
  ])
  expect(home.profiles()).toEqual({ default: { apiKey: 'key' }, night: {} })
})

it.each([
  ['timeout', 'soon', 'error: "soon" is no duration\nhint: Write it as 30s, 10m or 1h30m; up to 365d.'],
  ['settle', '400d', '"400d" is no duration'],
  ['timeout', '0', 'a timeout of "0" leaves no time to look'],
  ['baseUrl', 'api.herm.run', 'the base URL is no URL'],
  ['baseUrl', 'http://api.herm.run', 'is plain http to another machine'],
  ['session', '  ', 'the value of session is empty'],
  ['caFile', '/no/such/file.pem', 'the CA file /no/such/file.pem cannot be read: there is no such file'],
])('set %s to "%s" is refused, and nothing is stored', async (key, value, words) => {
  const home = toolHome()
  const end = await home.runHere(['config', 'set', key, value])
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toContain(words)
  expect(readdirSync(home.folder)).toEqual([])
})

it('set mends a value that no command would take', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { timeout: 'soon', baseUrl: 'nonsense' } } })
  expect(await home.runHere(['config', 'list'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is no URL'),
  })
  expect(await home.runHere(['config', 'set', 'timeout', '5m'])).toMatchObject({ code: 0 })
  expect(await home.runHere(['config', 'unset', 'baseUrl'])).toMatchObject({ code: 0 })
  expect(home.profiles()).toEqual({ default: { timeout: '5m' } })
})

it('unset of what is not set writes nothing', async () => {
  const home = toolHome()
  expect(await home.runHere(['config', 'unset', 'agent'])).toMatchObject({ code: 0 })
  expect(readdirSync(home.folder)).toEqual([])
})

it('get ends with 1 when nothing sets it', async () => {
  const end = await toolHome().runHere(['config', 'get', 'agent'])
  expect(end).toMatchObject({ code: 1, stdout: '' })
  expect(end.stderr).toContain('hint: Set it with herm-tools config set agent VALUE.')
})

it('an unknown setting is answered with the likely one and with all of them', async () => {
  const end = await toolHome().runHere(['config', 'get', 'sesion'])
  expect(end.code).toBe(2)
  expect(end.stderr).toContain(
    'Did you mean session? The settings are baseUrl, session, agent, caFile, timeout, settle.',
  )
})

it.each(['get', 'set', 'unset'])('%s refuses the API key, and says where it belongs', async (verb) => {
  const home = toolHome()
  const end = await home.runHere(['config', verb, 'apiKey', ...(verb === 'set' ? ['prism-secret-abcd'] : [])])
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toContain('herm-tools auth login')
  expect(end.stderr).not.toContain('prism')
  expect(readdirSync(home.folder)).toEqual([])
})

it('path prints where the file is, and makes none', async () => {
  const home = toolHome()
  const end = await home.runHere(['config', 'path'])
  expect(end).toMatchObject({ code: 0, stdout: `${home.configPath}\n`, stderr: '' })
  expect((await home.runHere(['config', 'path', '--json'])).records()).toEqual([
    { type: 'herm_tools.config_path', path: home.configPath },
  ])
  expect(readdirSync(home.folder)).toEqual([])
})

it('use chooses the profile for the commands that name none', async () => {
  const home = toolHome()
  home.writeConfig({ profiles: { default: { session: 'ses_1' }, staging: { session: 'ses_2' } } })
  const end = await home.runHere(['config', 'use', 'staging', '--json'])
  expect(end.records()).toEqual([{ type: 'herm_tools.profile_in_use', profile: 'staging' }])
  expect(await home.runHere(['config', 'get', 'session'])).toMatchObject({ stdout: 'ses_2\n' })
  expect(await home.runHere(['config', 'get', 'session', '--profile', 'default'])).toMatchObject({ stdout: 'ses_1\n' })

  const env = { HERM_TOOLS_PROFILE: 'staging' }
  const back = await home.runHere(['config', 'use', 'default'], { env })
  expect(back).toMatchObject({
    code: 0,
    stdout: 'profile default is used where none is named\n',
    stderr: 'warning: HERM_TOOLS_PROFILE is set, and wins over it\n',
  })
  expect(await home.runHere(['config', 'get', 'session'])).toMatchObject({ stdout: 'ses_1\n' })
})

it('use refuses a profile that does not exist, names those that do, and makes nothing', async () => {
  const home = toolHome()
  expect(await home.runHere(['config', 'use', 'nowhere'])).toMatchObject({ code: 2, stdout: '' })
  expect(readdirSync(home.folder)).toEqual([])
  home.writeConfig({ profiles: { staging: {} } })
  const before = home.config()
  const end = await home.runHere(['config', 'use', 'stagin'])
  expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining('Profiles: staging.') })
  expect(home.config()).toBe(before)
})

it('use helps out of a current profile that is gone', async () => {
  const home = toolHome()
  home.writeConfig(JSON.stringify({ version: 1, currentProfile: 'gone', profiles: { default: { session: 'ses_1' } } }))
  expect(await home.runHere(['config', 'get', 'session'])).toMatchObject({ code: 2 })
  expect(await home.runHere(['config', 'use', 'default'])).toMatchObject({ code: 0 })
  expect(await home.runHere(['config', 'get', 'session'])).toMatchObject({ code: 0 })
})

it('a second value for a profile that is there, and one for the default profile, make nothing new', async () => {
  const home = toolHome()
  expect(await home.runHere(['config', 'set', 'timeout', '5m'])).toMatchObject({ code: 0, stderr: '' })
  await home.runHere(['config', 'set', 'timeout', '5m', '--profile', 'night'])
  const again = await home.runHere(['config', 'set', 'timeout', '6m', '--profile', 'night'])
  expect(again).toMatchObject({ code: 0, stderr: '' })
})

it.each([
  ['{"version": 1, "profiles": {"default": {"timeout": 5, "session": 6}}}', ['profiles.default.timeout is no string']],
  ['{"version": 1, "profiles": []}', ['profiles is no object']],
  ['{"version": 0, "profiles": {}}', ['version is not as it should be']],
  ['[]', ['it is no object']],
])('a config of the wrong shape is told by its place: %s', async (text, words) => {
  const home = toolHome()
  home.writeConfig(text)
  const end = await home.runHere(['config', 'list'])
  expect(end.code).toBe(1)
  for (const part of words) expect(end.stderr).toContain(part)
  expect(end.stderr).not.toContain('Invalid')
})

it('a config for which there is no room is left as it was, as on a disk that fills up', () => {
  const home = toolHome()
  const profiles = Array.from({ length: 100 }, (_, at) => [
    `p${at}`,
    { apiKey: `a-key-of-its-own-${'0'.repeat(100)}${at}` },
  ])
  home.writeConfig({ profiles: Object.fromEntries(profiles) })
  const before = readFileSync(home.configPath, 'utf8')
  const command = 'ulimit -f 8; exec "$0" "$@"'
  const end = spawnSync(
    'sh',
    ['-c', command, process.execPath, inject('program'), 'config', 'set', 'session', 'ses_1', '--profile', 'p1'],
    { env: { ...home.env, PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1' }, encoding: 'utf8' },
  )
  expect(end).toMatchObject({ status: 1, stdout: '' })
  expect(end.stderr).toContain(`cannot write ${home.configPath}`)
  expect(readFileSync(home.configPath, 'utf8')).toBe(before)
  expect(readdirSync(dirname(home.configPath))).toEqual(['config.json'])
})
