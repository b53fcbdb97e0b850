import { describe, expect, it } from 'vitest'
import { startEmulator } from '../helpers/emulator.ts'
import { proxyServer } from '../helpers/proxy-server.ts'
import { runTool } from '../helpers/run-tool.ts'
import { refusedPort } from '../helpers/scripted-server.ts'
import { toolHome } from '../helpers/tool-home.ts'

const list = ['sessions', 'list', '--allow-insecure-http', '--quiet']
const herm = (env: Record<string, string>) => ({
  ...toolHome().env,
  PRISM_API_KEY: 'prism-secret-abcd1234',
  HERM_BASE_URL: 'http://herm.test',
  ...env,
})

async function emulatorPort(): Promise<number> {
  return Number(new URL((await startEmulator()).url).port)
}

it.each<[string, (url: string) => Record<string, string>]>([
  ['HTTP_PROXY', (url) => ({ HTTP_PROXY: url })],
  ['http_proxy before HTTP_PROXY', (url) => ({ http_proxy: url, HTTP_PROXY: 'http://127.0.0.1:1' })],
  ['HTTP_PROXY beside an empty http_proxy', (url) => ({ http_proxy: '', HTTP_PROXY: url })],
  ['an address without http://', (url) => ({ HTTP_PROXY: url.slice('http://'.length) })],
  ['a NO_PROXY for another host', (url) => ({ HTTP_PROXY: url, NO_PROXY: 'erm.test,example.com' })],
])('goes through the proxy of %s', async (_name, env) => {
  const proxy = await proxyServer({ toPort: await emulatorPort() })
  const end = await runTool([...list, '--json'], { env: herm(env(proxy.url)) })
  expect(end.records()).toMatchObject([{ id: 'ses_demo' }])
  expect(proxy.asked).toEqual(['GET http://herm.test/v1/sessions'])
})

it.each<[string, Record<string, string>]>([
  ['NO_PROXY', { NO_PROXY: 'herm.test' }],
  ['no_proxy before NO_PROXY', { no_proxy: '.test', NO_PROXY: 'nobody.example' }],
  ['NO_PROXY=*', { NO_PROXY: '*' }],
  ['a service on this machine', { HERM_BASE_URL: 'http://127.0.0.1:1' }],
  ['a proxy for https alone', { HTTP_PROXY: '', HTTPS_PROXY: 'http://127.0.0.1:1' }],
])('goes past it with %s', async (_name, env) => {
  const proxy = await proxyServer({ refusal: 500 })
  const end = await runTool(['message', 'ses_1', '--text', 'Hello', '--allow-insecure-http', '--quiet'], {
    env: herm({ HTTP_PROXY: proxy.url, ...env }),
  })
  expect(end.code).toBe(9)
  expect(end.stderr).not.toContain('proxy http')
  expect(proxy.asked).toEqual([])
})

it('posts and streams through it, with its credentials, which nothing shows', async () => {
  const proxy = await proxyServer({ toPort: await emulatorPort(), login: 'me:s3cret-word' })
  const env = herm({ HTTP_PROXY: proxy.url.replace('//', '//me:s3cret-word@') })
  const flags = ['--allow-insecure-http', '--debug']
  const message = await runTool(['message', 'ses_demo', '--text', 'A boat', ...flags], { env })
  const watch = await runTool(['watch', 'ses_demo', '--until', 'call', ...flags], { env })
  for (const end of [message, watch]) {
    expect(end.code).toBe(0)
    expect(end.stdout + end.stderr).not.toContain('s3cret')
  }
  expect(proxy.asked).toContain('POST http://herm.test/v1/sessions/ses_demo/events')
  expect(proxy.asked).toContain('GET http://herm.test/v1/sessions/ses_demo/events/stream')
})

describe('when it fails, host, cause and proxy are named, and what to do, without its password', () => {
  it.each<[number, string, string]>([
    [407, 'the proxy answered 407', 'into HTTPS_PROXY: http://NAME:PASSWORD@'],
    [403, 'the proxy answered 403', 'leave the proxy out with NO_PROXY'],
  ])('%i to a tunnel', async (refusal, words, advice) => {
    const proxy = await proxyServer({ refusal })
    const env = herm({
      HERM_BASE_URL: 'https://herm.test',
      HTTPS_PROXY: proxy.url.replace('//', '//me:s3cret-word@'),
    })
    const end = await runTool(['sessions', 'list'], { env })
    expect(end).toMatchObject({ code: 9, stdout: '' })
    expect(end.stderr).toContain(`at herm.test through the proxy ${proxy.url} failed: ${words}`)
    expect(end.stderr).toMatch(new RegExp(`^hint: .*${advice}`, 'm'))
    expect(end.stderr).not.toContain('s3cret')
  })

  it('502 to a tunnel, for which nothing was sent', async () => {
    const proxy = await proxyServer({ refusal: 502 })
    const env = herm({ HERM_BASE_URL: 'https://herm.test', HTTPS_PROXY: proxy.url })
    const end = await runTool(['message', 'ses_1', '--text', 'Hello'], { env })
    expect(end).toMatchObject({ code: 9, stdout: '' })
    expect(end.stderr).toContain(`at herm.test through the proxy ${proxy.url} failed: the proxy answered 502`)
    expect(end.stderr).toContain('hint: The proxy could not reach the service')
  })

  it('407 to plain http', async () => {
    const proxy = await proxyServer({ refusal: 407 })
    const end = await runTool(list, { env: herm({ HTTP_PROXY: proxy.url }) })
    expect(end.code).toBe(9)
    expect(end.stderr).toContain(`at herm.test through the proxy ${proxy.url} was answered with 407`)
    expect(end.stderr).toContain('hint: Put the name and the password for the proxy into HTTP_PROXY')
  })

  it('it is not there', async () => {
    const port = await refusedPort()
    const env = herm({ HERM_BASE_URL: 'https://herm.test', HTTPS_PROXY: `http://me:s3cret-word@127.0.0.1:${port}` })
    const end = await runTool(['message', 'ses_1', '--text', 'Hello'], { env })
    expect(end.code).toBe(9)
    expect(end.stderr).toBe(
      `error: POST /v1/sessions/ses_1/events at herm.test through the proxy http://127.0.0.1:${port} failed: the proxy could not be reached: the connection was refused (ECONNREFUSED)\n` +
        'hint: Check the proxy that HTTPS_PROXY names, or leave it out with NO_PROXY.\n',
    )
  })

  it.each(['http://me:s3cret-word@:::', 'socks5://me:s3cret-word@proxy.test'])('%s is none', async (address) => {
    const env = herm({ HERM_BASE_URL: 'https://herm.test', HTTPS_PROXY: address })
    const end = await runTool(['sessions', 'list'], { env })
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining('HTTPS_PROXY holds no') })
    expect(end.stderr).not.toContain('s3cret')
  })
})
