import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFrameReader, type StreamFrame } from '../../src/client/stream-frames.ts'
import { bytewise, frame } from '../helpers/scripted-server.ts'

const first = { id: 'evt_1', type: 'agent.message', payload: { text: 'größer 👩‍🚀' } }
const second = { id: 'evt_2', type: 'agent.message', payload: {} }

/** What a socket may merge again is split for certain here. */
function read(chunks: readonly Uint8Array[]): StreamFrame[] {
  const framesOf = createFrameReader()
  return chunks.flatMap((chunk) => framesOf(chunk))
}

describe.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('line ends with %s', (_name, end) => {
  const severalLines = JSON.stringify(first, null, 1).replaceAll('\n', '\ndata: ')
  const content = `: hello\nid: f1\ndata: ${severalLines}\n\nretry: 5\n${frame(second, 'f2')}`.replaceAll('\n', end)
  const expected = [
    { kind: 'event', event: { envelope: first } },
    { kind: 'id', id: 'f1' },
    { kind: 'retry', ms: 5 },
    { kind: 'event', event: { envelope: second } },
    { kind: 'id', id: 'f2' },
  ]

  test('one byte at a time', () => {
    expect(read(bytewise(content))).toMatchObject(expected)
  })

  test('one byte at a time after a byte order mark', () => {
    expect(read(bytewise(`\ufeff${content}`))).toMatchObject(expected)
  })

  test('cut in two at every place', () => {
    const bytes = Buffer.from(content)
    for (let at = 0; at <= bytes.length; at++) {
      expect(read([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toMatchObject(expected)
    }
  })

  test('the last frame is given with its last byte', () => {
    const framesOf = createFrameReader()
    const given = bytewise(frame(second).replaceAll('\n', end)).map((chunk) => framesOf(chunk).length)
    // With CRLF the CR of the empty line ends the frame already.
    expect(given.slice(0, -2).every((count) => count === 0)).toBe(true)
    expect(given.slice(-2).reduce((sum, count) => sum + count)).toBe(1)
  })
})

const data = (text: string, name = 'message') => ({ kind: 'other', name, data: text })
const id = (value: string) => ({ kind: 'id', id: value })

describe('fields', () => {
  test.each<[name: string, content: string, frames: object[]]>([
    [
      'in any order',
      'data: a\nid: 1\nevent: x\n\nevent: y\nid: 2\ndata: b\n\n',
      [data('a', 'x'), id('1'), data('b', 'y'), id('2')],
    ],
    [
      'with one space after the colon taken away, or none',
      'data:a\n\ndata:  b \n\nid:1\nevent:x\ndata:\n\n',
      [data('a'), data(' b '), data('', 'x'), id('1')],
    ],
    [
      'without a colon are empty',
      'data\n\ndata\ndata\n\nevent\ndata: a\n\nid\ndata: b\n\n',
      [data(''), data('\n'), data('a'), data('b'), id('')],
    ],
    ['of data, several', 'data: a\ndata:\ndata\ndata: b\n\ndata:\ndata:\n\n', [data('a\n\n\nb'), data('\n')]],
    ['with colons in them', 'data: a: b:\nid: :1\n\ndata: \ufeff\n\n', [data('a: b:'), id(':1'), data('\ufeff')]],
    [
      'that are unknown, or in other letters',
      'Data: a\nDATA: b\n data: c\nnonsense: 1\nnonsense\ndatax\ndata: d\n\n',
      [data('d')],
    ],
    ['of an event name alone are no frame, nor part of the next', 'event: x\n\ndata: a\n\n', [data('a')]],
    ['that are empty in a row', '\n\n\n\ndata: a\n\n\n\n\ndata: b\n\n', [data('a'), data('b')]],
    ['beside comments', ':\n: x\n\n:data: x\ndata: a\n:: \ndata: b\n:\n\n', [data('a\nb')]],
    ['named twice: the last counts', 'event: x\nevent: y\nid: 1\nid: 2\ndata: a\n\n', [data('a', 'y'), id('2')]],
    ['of an unfinished frame are discarded', 'id: 1\ndata: a\n\nid: 2\ndata: b\n', [data('a'), id('1')]],
    ['after a byte order mark; a second one is part of a name', '\ufeffdata: a\n\n\ufeffdata: b\n\n', [data('a')]],
  ])('%s', (_name, content, frames) => {
    expect(read([Buffer.from(content)])).toEqual(frames)
    expect(read(bytewise(content))).toEqual(frames)
  })
})

describe('an id', () => {
  test.each<[name: string, content: string, frames: object[]]>([
    ['of a frame without data counts', 'id: 1\n\n', [id('1')]],
    ['between comments counts', ': a\nid: 1\nevent: x\n: b\n\ndata: a\n\n', [id('1'), data('a')]],
    [
      'that is empty takes the earlier one back',
      'id: 1\n\nid:\n\nid\ndata: a\n\n',
      [id('1'), id(''), data('a'), id('')],
    ],
    ['with NUL in it is ignored', 'id: 1\n\nid: 2\0\n\nid: 3\nid: \0\ndata: a\n\n', [id('1'), data('a'), id('3')]],
    ['without the end of its frame does not count', 'id: 1\n\nid: 2\n', [id('1')]],
  ])('%s', (_name, content, frames) => {
    expect(read([Buffer.from(content)])).toEqual(frames)
    expect(read(bytewise(content))).toEqual(frames)
  })
})

test('retry is digits only, and needs no end of a frame', () => {
  const content = ['5', '0', '007', '', ' 5', '+5', '-5', '5.5', '5s', '1e3', '0x5', '٥'].map(
    (one) => `retry: ${one}\n`,
  )
  const given = [5, 0, 7].map((ms) => ({ kind: 'retry', ms }))
  expect(read([Buffer.from(content.join(''))])).toEqual(given)
})

test('however the bytes are cut, the frames are the same', () => {
  const piece = fc.constantFrom(
    '\n',
    '\r',
    '\r\n',
    'data',
    'id',
    'event',
    'retry',
    ':',
    ': ',
    '\ufeff',
    'é',
    '👩‍🚀',
    '\0',
    '7',
    'x',
  )
  const stream = fc.record({ start: fc.constantFrom('', '\ufeff'), pieces: fc.array(piece, { maxLength: 60 }) })
  const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 12 })
  fc.assert(
    fc.property(stream, cuts, ({ start, pieces }, places) => {
      const bytes = Buffer.from(start + pieces.join(''))
      const ends = [...places.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length]
      const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
      expect(read(chunks)).toEqual(read([bytes]))
    }),
    { numRuns: 2_000 },
  )
})

test('a character that is no UTF-8 is replaced and harms nothing after it', () => {
  const broken = Buffer.concat([Buffer.from('data: a'), Buffer.of(0xff), Buffer.from(`\n\n${frame(second)}`)])
  expect(read([broken])).toMatchObject([
    { kind: 'other', name: 'message', data: 'a\ufffd' },
    { kind: 'event', event: { envelope: second } },
  ])
})
