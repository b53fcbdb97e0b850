import { describe, expect, test } from 'vitest'
import { chooseProxy } from '../../src/client/proxy.ts'

const api = new URL('https://api.herm.run')

function choose(env: Record<string, string>, url = api): string | undefined {
  return chooseProxy({ url, env })?.href
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

  test('an address that is none is refused without being shown', () => {
    expect(() => choose({ HTTPS_PROXY: 'http://user:secret@:::' })).toThrow(/^HTTPS_PROXY holds no address of a proxy$/)
  })
})
