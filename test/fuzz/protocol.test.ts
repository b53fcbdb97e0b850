import { Chalk } from 'chalk'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFrameReader } from '../../src/client/stream-frames.ts'
import { HermError } from '../../src/errors.ts'
import { describeEvent } from '../../src/output/describe-event.ts'
import { describeTurn } from '../../src/output/describe-session.ts'
import { isOwed, pendingRecord } from '../../src/output/pending-record.ts'
import { visible } from '../../src/output/visible-text.ts'
import { decodeAccepted } from '../../src/protocol/accepted-body.ts'
import { decodeEvent } from '../../src/protocol/envelope.ts'
import { decodeErrorBody } from '../../src/protocol/error-body.ts'
import { decodeEventPage } from '../../src/protocol/list-body.ts'
import { decodeSession, decodeSessionPage } from '../../src/protocol/session.ts'
import { createSessionFold } from '../../src/protocol/session-fold.ts'
import { joinedText, MAX_BLOCK_CHARS, MAX_BLOCKS, textBlocks } from '../../src/protocol/text-blocks.ts'
import { createTimeline } from '../../src/protocol/timeline.ts'
import { abyss, anyJson, envelopeLike, oddText } from './arbitraries.ts'
import { thrownBy } from './thrown-by.ts'

const plain = new Chalk({ level: 0 })

/** Bodies that are broken, and bodies that are whole and hold anything. */
const body = fc.oneof(
  oddText,
  fc.json(),
  envelopeLike.map((envelope) => JSON.stringify(envelope)),
  fc
    .record({ key: fc.constantFrom('data', 'events', 'error', 'later'), list: fc.array(envelopeLike), next: anyJson })
    .map(({ key, list, next }) => JSON.stringify({ [key]: list, nextCursor: next })),
  fc.tuple(fc.json(), fc.nat(200)).map(([json, length]) => json.slice(0, length)),
  fc.constantFrom(abyss, `{"data":[{"id":"s","type":"t","payload":{"a":${abyss}}}]}`),
)

it.each([
  ['decodeEvent', decodeEvent],
  ['decodeEventPage', decodeEventPage],
  ['decodeAccepted', decodeAccepted],
  ['decodeErrorBody', decodeErrorBody],
  ['decodeSession', decodeSession],
  ['decodeSessionPage', decodeSessionPage],
])('%s takes any body, or says what is wrong with it', (_name, decode) => {
  fc.assert(
    fc.property(body, (text) => {
      const error = thrownBy(() => decode(text))
      if (error === undefined) return
      expect(error).toBeInstanceOf(HermError)
      expect(error).toMatchObject({ kind: 'failed', message: expect.stringMatching(/\S/), hint: expect.any(String) })
      expect((error as HermError).message.length).toBeLessThan(300)
    }),
    { numRuns: 80 },
  )
})

it.each([
  ['spaces', ' '.repeat(300_000)],
  ['backslashes', `"${'\\\\'.repeat(150_000)}"`],
  ['quotes', `["${'\\"'.repeat(150_000)}"]`],
  ['line breaks', `{${'\n '.repeat(150_000)}}`],
  ['open tags', '<style '.repeat(50_000)],
  ['half-closed tags', '<style></style '.repeat(20_000)],
  ['brackets', '['.repeat(300_000)],
  ['escapes', '\u001b['.repeat(150_000)],
  ['escapes without an end', `\u001b[${'1;'.repeat(150_000)}`],
  ['joiners', 'é\u200d'.repeat(150_000)],
])('a long body of %s costs no more than its length', (_name, text) => {
  for (const read of [decodeEvent, decodeEventPage, decodeAccepted, decodeErrorBody, decodeSession, visible]) {
    const startedAt = performance.now()
    thrownBy(() => read(text))
    expect(performance.now() - startedAt).toBeLessThan(LINEAR_MS)
  }
})

/** Of 300,000 characters quadratic time would take minutes. */
const LINEAR_MS = 20_000

it('frames come out the same wherever the bytes of a stream are cut', () => {
  const piece = fc.oneof(
    oddText,
    fc.constantFrom('data: ', 'data:', 'event: x\n', 'id: 1\n', 'retry: 5\n', ':\n', '\r', '\n', '\r\n\r\n', '\ufeff'),
    envelopeLike.map((envelope) => `data: ${JSON.stringify(envelope)}\n\n`),
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.array(piece, { maxLength: 8 }).map((pieces) => new TextEncoder().encode(pieces.join(''))),
  )
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(200), { maxLength: 6 }), (stream, cuts) => {
      const whole = createFrameReader()(stream)
      const read = createFrameReader()
      const ends = [...cuts.filter((cut) => cut < stream.length).sort((a, b) => a - b), stream.length]
      const parts = ends.map((end, index) => stream.subarray(ends[index - 1] ?? 0, end))
      expect(parts.flatMap(read)).toEqual(whole)
    }),
    { numRuns: 120 },
  )
})

it('any events make a state, the same when they come twice, and a line for people', () => {
  fc.assert(
    fc.property(fc.array(envelopeLike, { maxLength: 12 }), (likes) => {
      const events = likes.flatMap((like) => decodeEvent(JSON.stringify(like)) ?? [])
      const state = stateOf(events)
      expect(describeTurn(state.turn)).toMatch(/\S/)
      for (const call of [...state.calls.values()].filter(isOwed)) {
        expect(pendingRecord(call, { sessionId: 's', now: 0 }).text(plain)).toEqual(expect.any(String))
      }
      for (const event of events) expect(describeEvent(event, plain)).toEqual(expect.any(String))
      expect(stateOf([...events, ...events])).toEqual(state)
      expect(stateOf([...events].reverse()).lastSequence).toBe(state.lastSequence)
    }),
    { numRuns: 100 },
  )
})

it('a timeline gives every event that has a number, whatever the numbers are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(envelopeLike, { maxLength: 5 }), { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
      (batches, ordered, isLiveFirst) => {
        const timeline = createTimeline({ ordered })
        const given = new Set<number | undefined>()
        const known = new Set<number | undefined>()
        for (const [index, batch] of batches.entries()) {
          const events = batch.flatMap((like) => decodeEvent(JSON.stringify(like)) ?? [])
          for (const { envelope } of events) known.add(envelope.sequence)
          timeline.add(events, (index % 2 === 0) === isLiveFirst ? 'live' : 'history')
          for (const { event } of timeline.take()) given.add(event.envelope.sequence)
        }
        timeline.acceptHoles()
        for (const { event } of timeline.take()) given.add(event.envelope.sequence)
        expect(timeline.hasHole()).toBe(false)
        if (batches.length === 1) expect(given).toEqual(known)
        for (const sequence of given) expect(known).toContain(sequence)
      },
    ),
    { numRuns: 120 },
  )
})

it('a text is split into blocks that the service takes, and that join to the same text', () => {
  const text = fc
    .array(fc.tuple(fc.oneof(oddText, fc.constantFrom('é', '👩‍🚀', '\u0301', '\u200d', '\ud800')), fc.nat(9_000)), {
      maxLength: 6,
    })
    .map((parts) => parts.map(([part, times]) => part.slice(0, 12).repeat(times)).join(''))
  fc.assert(
    fc.property(text, fc.boolean(), (whole, truncate) => {
      let blocks: ReturnType<typeof textBlocks> = []
      const error = thrownBy(() => {
        blocks = textBlocks(whole, { truncate })
      })
      if (error !== undefined) {
        expect(error).toMatchObject({ kind: 'usage' })
        return
      }
      expect(blocks.length).toBeLessThanOrEqual(MAX_BLOCKS)
      for (const block of blocks) expect(block.text.length).toBeLessThanOrEqual(MAX_BLOCK_CHARS)
      for (const block of blocks) expect(block.text).not.toBe('')
      expect(joinedText(blocks)).toBe(whole.slice(0, joinedText(blocks).length))
      if (!truncate) expect(joinedText(blocks)).toBe(whole)
    }),
    { numRuns: 40 },
  )
})

function stateOf(events: readonly NonNullable<ReturnType<typeof decodeEvent>>[]) {
  const fold = createSessionFold()
  for (const { envelope } of events) fold.add(envelope)
  return fold.state()
}
