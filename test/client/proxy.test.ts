import { describe, expect, test } from 'vitest'
import { chooseProxy } from '../../src/client/proxy.ts'

const api = new URL('https://api.herm.run')

function choose(env: Record<string, string>, url = api): string | undefined {
  return chooseProxy({ url, env }).proxy?.href
}

describe('chooseProxy', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['no variables', {}, undefined],
    ['the variable of the protocol', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['the other protocol’s variable', { HTTP_PROXY: 'http://p:1' }, undefined],
    ['an empty one is unset', { HTTPS_PROXY: '' }, undefined],
    ['an empty lower-case one does not hide the other', { https_proxy: ' ', HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['lower case first', { https_proxy: 'http://q:2', HTTPS_PROXY: 'http://p:1' }, 'http://q:2/'],
    ['no scheme', { HTTPS_PROXY: 'p:3128' }, 'http://p:3128/'],
  ])('%s', (_name, env, expected) => {
    expect(choose(env)).toBe(expected)
  })

  test.each([
    ['*', false],
    ['api.herm.run', false],
    ['herm.run', false],
    ['.herm.run', false],
    ['*.herm.run', false],
    ['a.example, HERM.RUN', false],
    ['api.herm.run:443', false],
    ['api.herm.run:8443', true],
    ['erm.run', true],
    ['', true],
  ])('NO_PROXY=%s', (noProxy, used) => {
    expect(choose({ HTTPS_PROXY: 'http://p:1', NO_PROXY: noProxy }) !== undefined).toBe(used)
  })

  test.each(['http://localhost:8080', 'http://127.0.0.1:1', 'http://[::1]:1'])('never for %s', (url) => {
    expect(choose({ HTTP_PROXY: 'http://p:1' }, new URL(url))).toBeUndefined()
  })

  test.each<[Record<string, string>, URL, string | undefined, string | undefined]>([
    [{}, api, undefined, undefined],
    [{ https_proxy: 'http://p:1' }, api, 'https_proxy', undefined],
    [{ HTTPS_PROXY: 'http://p:1', no_proxy: 'herm.run' }, api, 'HTTPS_PROXY', 'NO_PROXY'],
    [{ HTTP_PROXY: 'http://p:1' }, new URL('http://localhost:1'), 'HTTP_PROXY', 'this machine'],
  ])('of %j for %s it tells the variable, and why it does not count', (env, url, variable, passedOver) => {
    expect(chooseProxy({ url, env })).toMatchObject({ variable, passedOver })
  })

  test.each(['socks5://p:1080', 'ftp://p'])('%s is no proxy for http', (address) => {
    expect(() => choose({ HTTPS_PROXY: address })).toThrow(/^HTTPS_PROXY holds no proxy that speaks http or https$/)
  })

  test('an address that is none is refused without being shown', () => {
    expect(() => choose({ HTTPS_PROXY: 'http://user:secret@:::' })).toThrow(/^HTTPS_PROXY holds no address of a proxy$/)
  })
})
