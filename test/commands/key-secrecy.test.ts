import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atScriptedSession, atSession } from '../helpers/at-session.ts'
import { errorOf } from '../helpers/delivery-stage.ts'
import type { ToolEnd } from '../helpers/run-tool.ts'
import { type Behaviour, html, json, rawBytes, redirect, scriptedServer, text } from '../helpers/scripted-server.ts'
import { blocked, call, idle } from '../helpers/session-events.ts'

/** With what URLs, JSON and HTML escape. */
const KEY = 'Prism_sk/"0123+456\\789=&'
const HOST_KEY = 'prism-sk-0123456789abcdef'
const env = { PRISM_API_KEY: KEY }
const inJson = (key: string) => [...key].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')

describe('a service that echoes the key does not make the program show it', () => {
  test.each<[string, Behaviour]>([
    ['in the words of a refusal', json({ error: { code: KEY, message: `bad key ${KEY}` } }, { status: 401 })],
    ['in a refusal, escaped', text(`{"error":{"message":"bad ${inJson(KEY)}"}}`, { status: 400 })],
    ['in a page', html(`<p>${KEY.replaceAll('"', '&quot;')} ${encodeURIComponent(KEY)} ${KEY}</p>`)],
    ['in what is no JSON', text(`key ${KEY}`)],
    ['in what is no session', json({ data: [{ key: KEY }] })],
    ['in a header', text('{}', { status: 200, headers: { 'content-type': encodeURIComponent(KEY) } })],
    ['in what is no HTTP', rawBytes(`${KEY}\r\n${KEY}`)],
    ['in where it leads', redirect(`https://evil.example/${encodeURIComponent(KEY)}?k=${encodeURIComponent(KEY)}`)],
    ['in where it leads, within', redirect(`/v1/${encodeURIComponent(encodeURIComponent(KEY))}`)],
  ])('%s', async (_name, answer) => {
    const server = await scriptedServer([answer])
    const at = atSession({ url: server.url, sessionId: KEY })
    for (const json of [[], ['--json']]) {
      const end = await at.run(['sessions', 'get', '--debug', ...json], { env })
      expect(end.code).toBeGreaterThan(0)
      expect(end.stderr).toContain('[key]')
      assertKeyless(end, KEY)
    }
  })

  test('in the name of a host', async () => {
    const server = await scriptedServer([redirect(`https://${HOST_KEY.toUpperCase()}.example/`)])
    const end = await atSession({ url: server.url, sessionId: 's' }).run(['sessions', 'list'], {
      env: { PRISM_API_KEY: HOST_KEY.toUpperCase() },
    })
    expect(end.stderr).toContain('redirected to [key].example')
    assertKeyless(end, HOST_KEY)
  })

  test('in why a turn ended, also when the key comes from the profile', async () => {
    const { run, home } = await atScriptedSession({ history: [idle(1, { type: 'error', message: `no ${KEY}` })] })
    home.writeConfig({ profiles: { default: { apiKey: KEY } } })
    const args = ['wait', '--exit-status', '--quiet', '--json']
    const end = await run(args, { env: { PRISM_API_KEY: undefined } })
    expect(errorOf(end).message).toBe('the turn ended in an error: no [key]')
  })
})

test('a key that is far too long for one is refused, and not shown', async () => {
  const { run, home } = await atScriptedSession()
  const long = 'sk_0123456789'.repeat(4_000)
  const fromEnvironment = await run(['pending'], { env: { PRISM_API_KEY: long } })
  expect(fromEnvironment).toMatchObject({ code: 4, stderr: expect.stringContaining('longer than any key') })
  home.writeConfig({ profiles: { default: { apiKey: long } } })
  const fromProfile = await run(['pending'], { env: { PRISM_API_KEY: undefined } })
  expect(fromProfile).toMatchObject({ code: 4, stderr: expect.stringContaining('longer than any key') })
  for (const end of [fromEnvironment, fromProfile]) expect(end.stderr).not.toContain('0123456789')
})

test('a key that was typed in the place of something else is not said again', async () => {
  const { run } = await atScriptedSession()
  for (const args of [
    [KEY],
    ['jobs', 'show', KEY],
    ['config', 'get', KEY],
    ['--profile', KEY, 'auth', 'status'],
    ['auth', 'login', KEY],
  ]) {
    assertKeyless(await run(args, { env }), KEY)
  }
})

test('nothing that a delivery leaves on disk holds the key', async () => {
  const { run, home } = await atScriptedSession({ history: [call(1), blocked(2)], post: text(KEY, { status: 500 }) })
  const deliver = [
    'complete',
    '--tool-use-id',
    'call_1',
    '--text',
    'done',
    '--settle',
    '100ms',
    '--no-resend',
    '--debug',
  ]
  const end = await run(deliver, { env })
  expect(end.code).toBe(6)
  assertKeyless(end, KEY)
  const files = readdirSync(home.stateDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  expect(files).not.toEqual([])
  for (const file of files) expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(KEY)
})

/** An address of this machine that the program does not take for one. */
const elsewhere = (port: number) => `http://0.0.0.0:${port}`

describe('over plain http to another machine', () => {
  test('the key is not sent', async () => {
    const { run, server } = await atScriptedSession()
    for (const args of [
      ['sessions', 'list'],
      ['auth', 'login', '--with-key'],
      ['auth', 'status'],
    ]) {
      const end = await run([...args, '--base-url', elsewhere(server.port)], { env, stdin: KEY })
      expect(end).toMatchObject({ code: 2, stdout: '' })
      expect(end.stderr).toContain('--allow-insecure-http')
    }
    expect(server.connections()).toBe(0)
  })

  test('it is with --allow-insecure-http, with one warning', async () => {
    const { run, server, home } = await atScriptedSession({ session: json({ id: 's', data: [] }) })
    const flags = ['--base-url', elsewhere(server.port), '--allow-insecure-http']
    for (const args of [
      ['sessions', 'get'],
      ['auth', 'login', '--with-key'],
      ['events', '--quiet'],
    ]) {
      const end = await run([...args, ...flags], { env: { PRISM_API_KEY: HOST_KEY }, stdin: HOST_KEY })
      expect(end.code).toBe(0)
      expect(end.stderr.match(/plain http/g)).toHaveLength(1)
      expect(end.stderr).toMatch(/^warning: .*anybody on the way can read the API key/m)
    }
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(Array(3).fill(HOST_KEY))
    expect(home.profiles()).toMatchObject({ default: { baseUrl: elsewhere(server.port) } })
    expect((await run(['sessions', 'get'], { env: { HERM_BASE_URL: undefined } })).code).toBe(2)
  })

  test('on this machine there is nothing to warn of', async () => {
    const { run } = await atScriptedSession()
    expect(await run(['sessions', 'get', '--allow-insecure-http'])).toMatchObject({ code: 0, stderr: '' })
  })
})

/** Not as it is, and not in any way to write it that is undone by one reading. */
function assertKeyless({ stdout, stderr }: ToolEnd, key: string): void {
  for (const shown of [stdout, stderr]) {
    for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), inJson(key)]) {
      expect(shown.toLowerCase()).not.toContain(form.toLowerCase())
    }
  }
}
