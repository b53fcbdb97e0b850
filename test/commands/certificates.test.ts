import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Authority, authority, type Identity } from '../helpers/authority.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { proxyServer } from '../helpers/proxy-server.ts'
import { runTool } from '../helpers/run-tool.ts'
import { json, scriptedServer } from '../helpers/scripted-server.ts'
import { tlsFront } from '../helpers/tls-front.ts'
import { toolHome } from '../helpers/tool-home.ts'

const KEY = 'prism-secret-abcd1234'

/** A local Herm behind TLS, on localhost; what its certificate says is up to the test. */
async function service(identity: Identity) {
  const { port } = new URL((await startEmulator()).url)
  const tlsPort = await tlsFront(identity, { toPort: Number(port) })
  return { port: tlsPort, url: `https://localhost:${tlsPort}` }
}

async function trustedService(): Promise<{ ca: Authority; url: string; port: number }> {
  const ca = await authority()
  return { ca, ...(await service(await ca.issue('localhost'))) }
}

const envOf = (url: string, env: Record<string, string> = {}) => ({
  ...toolHome().env,
  PRISM_API_KEY: KEY,
  HERM_BASE_URL: url,
  ...env,
})

it('a certificate of an authority that nobody knows names host, code and --ca-file', async () => {
  const { url } = await trustedService()
  const end = await runTool(['sessions', 'list'], { env: envOf(url) })
  expect(end).toMatchObject({ code: 9, stdout: '' })
  expect(end.stderr).toMatch(
    new RegExp(
      `^error: GET /v1/sessions at ${new URL(url).host} failed: .*\\((UNABLE_TO_|SELF_SIGNED_)\\w+\\)\nhint: .*--ca-file`,
    ),
  )
})

describe('an authority is trusted besides the usual ones', () => {
  it('by --ca-file, for requests and streams', async () => {
    const { ca, url } = await trustedService()
    const env = envOf(url)
    const list = await runTool(['sessions', 'list', '--ca-file', ca.file, '--json'], { env })
    expect(list).toMatchObject({ code: 0, stderr: '' })
    expect(list.records()).toMatchObject([{ id: 'ses_demo' }])
    const message = await runTool(['message', 'ses_demo', '--text', 'A boat', '--ca-file', ca.file], { env })
    expect(message.code).toBe(0)
    const watch = await runTool(['watch', 'ses_demo', '--until', 'call', '--ca-file', ca.file], { env })
    expect(watch).toMatchObject({ code: 0, stdout: expect.stringContaining('render_video') })
  })

  it('by HERM_CA_FILE, or by NODE_EXTRA_CA_CERTS, and by that besides another file', async () => {
    const { ca, url } = await trustedService()
    const other = await authority()
    for (const env of [
      { HERM_CA_FILE: ca.file },
      { NODE_EXTRA_CA_CERTS: ca.file },
      { NODE_EXTRA_CA_CERTS: ca.file, HERM_CA_FILE: other.file },
    ]) {
      expect(await runTool(['sessions', 'list'], { env: envOf(url, env) })).toMatchObject({ code: 0, stderr: '' })
    }
  })

  it('by the setting caFile, which is stored whole, and by a file of many certificates', async () => {
    const { ca, url } = await trustedService()
    const home = toolHome()
    const env = { PRISM_API_KEY: KEY, HERM_BASE_URL: url }
    writeFileSync(
      join(home.folder, 'all.pem'),
      `# Ours\n${(await authority()).pem}\n${ca.pem.replaceAll('\n', '\r\n')}`,
    )
    const set = await home.run(['config', 'set', 'caFile', 'all.pem'], { env, cwd: home.folder })
    expect(set).toMatchObject({ code: 0, stderr: '' })
    expect(home.profiles()).toEqual({ default: { caFile: join(home.folder, 'all.pem') } })
    expect(await home.run(['sessions', 'list'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect((await home.run(['config', 'get', 'caFile'], { env })).stdout).toBe(`${join(home.folder, 'all.pem')}\n`)
  })

  it('by auth login, which checks the key', async () => {
    const { ca, url } = await trustedService()
    const home = toolHome()
    const login = ['auth', 'login', '--with-key', '--base-url', url]
    expect(await home.run(login, { stdin: KEY })).toMatchObject({ code: 9 })
    expect(await home.run([...login, '--ca-file', ca.file], { stdin: KEY })).toMatchObject({ code: 0, stderr: '' })
  })

  it('through a tunnel of a proxy', async () => {
    const ca = await authority()
    const { port } = await service(await ca.issue('herm.test'))
    const proxy = await proxyServer({ toPort: port, login: 'me:secret' })
    const env = envOf('https://herm.test', { HTTPS_PROXY: proxy.url.replace('//', '//me:secret@') })
    expect(await runTool(['sessions', 'list', '--ca-file', ca.file], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(await runTool(['wait', 'ses_demo', '--ca-file', ca.file], { env })).toMatchObject({ code: 0 })
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT herm.test:443']))

    const untrusted = await runTool(['sessions', 'list'], { env })
    expect(untrusted.code).toBe(9)
    expect(untrusted.stderr).toContain(`at herm.test through the proxy ${proxy.url} failed: `)
    expect(untrusted.stderr).toContain('--ca-file')
    expect(untrusted.stderr).not.toContain('secret')
  })
})

it.each([
  ['is missing', undefined, 'cannot be read: there is no such file'],
  ['is empty', '\n', 'is empty'],
  ['holds something else', '-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----', 'holds no certificate'],
  [
    'holds nonsense',
    '-----BEGIN CERTIFICATE-----\nMIIBmjCCAUG\n-----END CERTIFICATE-----',
    'holds a certificate that cannot be understood (number 1 of 1)',
  ],
])('a file that %s ends it before anything is sent', async (_name, content, words) => {
  const home = toolHome()
  const server = await scriptedServer([json({ data: [] })])
  const path = join(home.folder, 'ca.pem')
  if (content !== undefined) writeFileSync(path, content)
  for (const args of [
    ['sessions', 'list', '--ca-file', path, '--base-url', server.url],
    ['config', 'set', 'caFile', path],
  ]) {
    const end = await home.run(args)
    expect(end).toMatchObject({ code: 2, stdout: '' })
    expect(end.stderr).toContain(`the CA file ${path} `)
    expect(end.stderr).toContain(words)
  }
  expect(server.connections()).toBe(0)
})

it.each<[string, Parameters<Authority['issue']>, string, string]>([
  [
    'has expired',
    ['localhost', { from: new Date('2020-01-01'), to: new Date('2021-01-01') }],
    'the certificate has expired (CERT_HAS_EXPIRED)',
    'Check the clock of this machine',
  ],
  [
    'is not valid yet',
    ['localhost', { from: new Date('2120-01-01'), to: new Date('2121-01-01') }],
    'the certificate is not valid yet (CERT_NOT_YET_VALID)',
    'Check the clock of this machine',
  ],
  [
    'is for another host',
    ['other.example'],
    'the certificate was made for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
    'Check the host name in the base URL',
  ],
])('a certificate that %s is told as such', async (_name, issued, words, advice) => {
  const ca = await authority()
  const { port } = await service(await ca.issue(...issued))
  const proxy = await proxyServer({ toPort: port })
  const direct = envOf(`https://localhost:${port}`)
  const proxied = envOf('https://herm.test', { HTTPS_PROXY: proxy.url })
  for (const env of issued[0] === 'localhost' ? [direct] : [direct, proxied]) {
    const end = await runTool(['sessions', 'list', '--ca-file', ca.file], { env })
    expect(end).toMatchObject({ code: 9, stdout: '' })
    expect(end.stderr).toContain(`failed: ${words}`)
    expect(end.stderr).toContain(`hint: ${advice}`)
  }
})
