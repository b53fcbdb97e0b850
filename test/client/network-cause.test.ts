import { describe, expect, test } from 'vitest'
import { networkCause } from '../../src/client/network-cause.ts'
import {
  cutBeforeReading,
  neverAnswers,
  rawBytes,
  refusedPort,
  type Script,
  scriptedServer,
} from '../helpers/scripted-server.ts'
import { caught, testHttp } from './test-http.ts'
import { selfSignedServer, silentServer } from './tls-server.ts'

const impatient = { connectMs: 50, headersMs: 50 }

async function scripted(script: Script): Promise<string> {
  return (await scriptedServer(script)).url
}

describe('on this machine', () => {
  test.each<[string, () => Promise<string>, RegExp, string]>([
    [
      'a name that nobody has',
      async () => 'http://herm.invalid',
      /the host name (is not known|could not be looked up) \((ENOTFOUND|EAI_AGAIN)\)/,
      'Check the host name',
    ],
    [
      'a port on which nothing listens',
      async () => `http://127.0.0.1:${await refusedPort()}`,
      /the connection was refused \(ECONNREFUSED\)/,
      'the service is running',
    ],
    [
      'a connection that is cut',
      () => scripted([cutBeforeReading]),
      /the connection was cut \((ECONNRESET|UND_ERR_SOCKET)\)/,
      'cuts connections',
    ],
    [
      'a connection that does not come to stand',
      async () => `https://127.0.0.1:${(await silentServer()).port}`,
      /no connection in time \(UND_ERR_CONNECT_TIMEOUT\)/,
      'HTTPS_PROXY',
    ],
    [
      'an answer that does not come',
      () => scripted([neverAnswers]),
      /no answer in time \(UND_ERR_HEADERS_TIMEOUT\)/,
      'Try again',
    ],
    [
      'something that is no HTTP',
      () => scripted([rawBytes('SSH-2.0-OpenSSH_9.6\r\n')]),
      /the answer is not HTTP \((HPE_\w+|HTTPParserError)\)/,
      'its port may be wrong',
    ],
    [
      'plain http where TLS was to be',
      async () => (await scripted([])).replace('http:', 'https:'),
      /no TLS connection could be agreed on \((ERR_SSL_\w+|EPROTO)\)/,
      'plain http',
    ],
    [
      'a certificate signed by itself',
      async () => `https://127.0.0.1:${(await selfSignedServer()).port}`,
      /the certificate is signed by itself, and not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
      '--ca-file',
    ],
  ])('%s', async (_name, service, words, advice) => {
    const url = await service()
    const http = testHttp(url, { apiKey: undefined, limits: impatient })
    const error = await caught(http.send({ method: 'GET', url: http.url('/v1') }))
    expect(error).toMatchObject({ kind: 'unreachable', hint: expect.stringContaining(advice) })
    expect((error as Error).message).toMatch(words)
    expect((error as Error).message).toContain(`GET /v1 at ${new URL(url).host} failed: `)
  })
})

test.each<[string, boolean, string, string, string]>([
  // What takes a network, with what is said when a proxy is in use.
  ['EHOSTUNREACH', true, 'there is no route to the host', 'VPN', 'Check the proxy that HTTPS_PROXY names'],
  ['ENETUNREACH', true, 'the network cannot be reached', 'VPN', 'Check the proxy'],
  ['ENETDOWN', true, 'the network is down', 'VPN', 'Check the proxy'],
  ['EAI_AGAIN', true, 'the host name could not be looked up', 'Check the host name', 'Check the proxy'],
  ['ETIMEDOUT', true, 'no answer in time', 'firewall', 'firewall'],
  ['EPIPE', true, 'the connection was cut', 'firewall', 'firewall'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', false, 'the certificate comes from an authority', '--ca-file', '--ca-file'],
  ['CERT_REVOKED', false, 'the certificate is not accepted', 'its certificate', 'its certificate'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', false, 'no TLS connection', 'old TLS', 'old TLS'],
  ['HPE_INVALID_EOF_STATE', true, 'the answer was cut off', 'firewall', 'firewall'],
  ['UND_ERR_INFO', false, 'its own words', 'herm-tools doctor', 'herm-tools doctor'],
])('%s', (code, passing, words, advice, adviceWithProxy) => {
  const error = new Error('outer', { cause: Object.assign(new Error('its own words'), { code }) })
  const inner = error.cause as Error
  expect(networkCause(inner, { proxyVariable: undefined })).toMatchObject({
    code,
    passing,
    words: expect.stringContaining(words),
    advice: expect.stringContaining(advice),
  })
  expect(networkCause(error, { proxyVariable: 'HTTPS_PROXY' })).toMatchObject({
    code,
    advice: expect.stringContaining(adviceWithProxy),
  })
})
