import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeEvent, eventOf, isSettled } from '../../src/protocol/envelope.ts'
import { envelopeShape } from '../../src/protocol/envelope-shape.ts'
import { byteExact } from './byte-exact.ts'

describe('decodeEvent', () => {
  it('passes unknown types, statuses and fields through', () => {
    const text = '{"type":"agent.dreamt","status":"odd","payload":{"depth":3},"region":"eu","sequence":4}'
    expect(decodeEvent(text)).toEqual({ envelope: JSON.parse(text), raw: text })
  })

  it.each(byteExact)('keeps the text: %s', (_what, text, oneLine) => {
    expect(decodeEvent(`\n ${text}\r\n`)?.raw).toBe(oneLine)
  })

  it('takes null for a missing field', () => {
    const text =
      '{"id":null,"type":"session.tool_updated","sessionId":null,"sequence":null,"status":null,"payload":{},"processedAt":null,"createdAt":null}'
    const { id, sequence, status, createdAt } = decodeEvent(text)?.envelope ?? { id: 'not read' }
    expect([id, sequence, status, createdAt]).toEqual([undefined, undefined, undefined, undefined])
  })

  it.each([
    '',
    'ping',
    'null',
    '[]',
    '{}',
    '{"type":"a"}',
    '{"type":1,"payload":{}}',
    '{"type":"a","payload":[]}',
    '{"type":"a","payload":{},"sequence":"1"}',
  ])('knows that %j is no envelope', (text) => {
    expect(decodeEvent(text)).toBeUndefined()
  })

  it('writes any envelope on one line without changing a value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom('\n', '\r\n\t', 2), (payload, space) => {
        const text = JSON.stringify({ type: 'agent.message', payload }, null, space)
        const raw = decodeEvent(text)?.raw ?? ''
        expect(raw).not.toMatch(/[\r\n]/)
        expect(JSON.parse(raw)).toEqual(JSON.parse(text))
      }),
    )
  })
})

it('eventOf writes the envelope itself', () => {
  const envelope = { type: 'user.message', payload: { a: 1 } }
  expect(eventOf(envelope)).toEqual({ envelope, raw: '{"type":"user.message","payload":{"a":1}}' })
})

it.each([
  [undefined, true],
  ['complete', true],
  ['pending', false],
])('an envelope with status %s is settled: %s', (status, settled) => {
  expect(isSettled({ type: 'a', payload: {}, status })).toBe(settled)
})

it('decodes what the published shape says, and nothing else', () => {
  const field = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.constant(undefined),
    fc.jsonValue({ maxDepth: 1 }),
  )
  const nearly = fc.record(
    {
      type: fc.oneof({ weight: 5, arbitrary: fc.string() }, field),
      payload: fc.oneof({ weight: 5, arbitrary: fc.dictionary(fc.string(), fc.jsonValue()) }, field),
      id: field,
      sessionId: field,
      sequence: fc.oneof(fc.nat(), field),
      status: field,
      processedAt: field,
      createdAt: field,
      other: field,
    },
    { requiredKeys: [] },
  )
  const found = new Set<boolean>()
  fc.assert(
    fc.property(fc.oneof(nearly, fc.jsonValue()), (value) => {
      const text = JSON.stringify(value)
      const expected = envelopeShape.safeParse(JSON.parse(text))
      found.add(expected.success)
      expect(decodeEvent(text)?.envelope).toEqual(expected.data)
    }),
    { numRuns: 2_000 },
  )
  expect(found.size).toBe(2)
})
