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
    { kind: 'event', event: { envelope: first }, frameId: 'f1' },
    { kind: 'retry', ms: 5 },
    { kind: 'event', event: { envelope: second }, frameId: 'f2' },
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

test('a character that is no UTF-8 is replaced and harms nothing after it', () => {
  const broken = Buffer.concat([Buffer.from('data: a'), Buffer.of(0xff), Buffer.from(`\n\n${frame(second)}`)])
  expect(read([broken])).toMatchObject([
    { kind: 'other', name: 'message', data: 'a\ufffd' },
    { kind: 'event', event: { envelope: second } },
  ])
})
