import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readText, type TextSource } from '../../src/commands/read-text.ts'
import { CALL, deliveryStage, errorOf, SESSION } from '../helpers/delivery-stage.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const args = ['complete', '--session', SESSION, '--tool-use-id', CALL, '--json']

function read(source: TextSource, stdin: Uint8Array | string = ''): Promise<string> {
  return readText(source, {
    stdin: Readable.from([Buffer.from(stdin)]) as NodeJS.ReadStream,
    signal: new AbortController().signal,
  })
}

describe('the text of a result', () => {
  test('comes from --text, from a file, or from standard input', async () => {
    const path = join(temporaryFolder(), 'out.txt')
    writeFileSync(path, 'a line\nand – another\n')
    expect(await read({ text: 'from the flag' })).toBe('from the flag')
    expect(await read({ file: path })).toBe('a line\nand – another\n')
    expect(await read({ file: '-' }, 'piped ✓')).toBe('piped ✓')
  })

  test.each<[string, TextSource, string]>([
    ['is given nowhere', {}, 'the text is missing'],
    ['is given twice', { text: 'a', file: '-' }, 'exclude each other'],
    ['is in a file that is not there', { file: '/nonexistent/out.txt' }, '/nonexistent/out.txt cannot be read'],
    ['is in a directory', { file: '.' }, 'it is a directory'],
    ['has an empty path', { file: '' }, '--file is empty'],
    ['is no UTF-8', { file: '-' }, 'standard input is not UTF-8'],
  ])('that %s is a mistake of usage', async (_name, source, words) => {
    await expect(read(source, Uint8Array.of(0x61, 0xff))).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(words),
      hint: expect.any(String),
    })
  })
})

test('a long text is split into blocks, and cut only when asked', async () => {
  const stage = await deliveryStage()
  const text = 'x'.repeat(2_000_001)
  const refused = await stage.run([...args, '--file', '-'], { stdin: text })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(errorOf(refused).hint).toContain('--truncate')
  expect((await stage.run([...args, '--file', '-', '--truncate'], { stdin: text })).code).toBe(0)
  expect(stage.finals()).toEqual([`completed ${text.slice(0, 2_000_000)}`])
})

test('standard input is not read unasked, nor waited for', async () => {
  const stage = await deliveryStage()
  const run = stage.start([...args, '--text', 'from the flag'], { stdin: 'not this' })
  expect((await run.ended).code).toBe(0)
  expect(stage.finals()).toEqual(['completed from the flag'])
})

test.each([
  ['a blank text', ['--text', ' \n\t'], 'the text is empty'],
  ['an empty id of the call', ['--text', 'a', '--tool-use-id', ''], '--tool-use-id'],
])('%s is refused before anything is asked', async (_name, flags, words) => {
  const stage = await deliveryStage()
  const end = await stage.run([...args, ...flags])
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(errorOf(end)).toMatchObject({ code: 'usage', message: expect.stringContaining(words) })
  expect(stage.proxy.requests).toEqual([])
})
