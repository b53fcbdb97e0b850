import { request as undiciRequest } from 'undici'
import { expect, test } from 'vitest'
import { startEmulator } from '../helpers/emulator.ts'
import { openStream, sessionApi } from './api.ts'
import { isUnanswered, see } from './exchange.ts'

const STREAM = '/v1/sessions/ses_demo/events/stream'

async function start(...faults: string[]) {
  const emulator = await startEmulator({ faults, heartbeatMs: 3_600_000 })
  const { control, url } = emulator
  return {
    ...emulator,
    streamUrl: url + STREAM,
    note: (text = 'hello') => control.emit('ses_demo', { type: 'session.note', text }),
    opened: () => expect.poll(() => control.streamCount()).toBe(1),
  }
}

/** The body of a stream as it comes: each chunk as bytes, and how it ended. */
async function chunksOf(url: string) {
  const { body } = await undiciRequest(url)
  const chunks: Buffer[] = []
  body.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<string>((resolve) => {
    body.on('end', () => resolve('ended'))
    body.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name))
  })
  return { chunks, ended, text: () => Buffer.concat(chunks).toString(), leave: () => body.destroy() }
}

test.each([
  ['stream-refused=503', 503, 'application/json; charset=utf-8', /service_unavailable/],
  ['stream-refused=404', 404, 'application/json; charset=utf-8', /not_found/],
  ['stream-html', 200, 'text/html', /^<!doctype html>/],
  ['stream-no-content', 204, 'application/json; charset=utf-8', /^$/],
])('%s: the answer is %i in place of a stream', async (fault, status, type, text) => {
  const { streamUrl, url, control } = await start(`${fault},count=1`)
  const seen = await see(streamUrl)
  expect(seen).toMatchObject({ status, text: expect.stringMatching(text), isWhole: true })
  expect(seen === 'cut' || seen.headers.get('content-type')).toBe(type)
  expect(control.streamCount()).toBe(0)
  expect((await sessionApi(url).stream()).response.status).toBe(200)
  expect(control.stats()).toMatchObject({ streams: 1, faults: { [fault.split('=')[0] as string]: 1 } })
})

test('a stream that would be refused all the same has no chance of a fault', async () => {
  const { url, control } = await start('stream-html')
  expect(await see(`${url}/v1/sessions/ses_none/events/stream`)).toMatchObject({ status: 404 })
  expect(control.faults().faults).toEqual([{ fault: 'stream-html', chances: 0, fired: 0 }])
})

test.each([
  ['stream-closed=2s', 'ended'],
  ['stream-reset=2s', 'ECONNRESET'],
])('%s: the stream is as ever, and then over', async (fault, expected) => {
  const { streamUrl, note, clock, opened, control } = await start(fault)
  const stream = await chunksOf(streamUrl)
  await opened()
  note()
  await expect.poll(stream.text).toContain('event: session.note')
  await clock.advance(1_999)
  expect(await isUnanswered(stream.ended)).toBe(true)
  await clock.advance(1)
  expect(await stream.ended).toBe(expected)
  await expect.poll(() => [control.streamCount(), clock.sleepers()]).toEqual([0, 0])
})

test('stream-muted: nothing comes any more, neither events nor comments, and the stream stays open', async () => {
  const { url, control, clock } = await startEmulator({ faults: ['stream-muted=2s,count=1'], heartbeatMs: 1_500 })
  const stream = await sessionApi(url).stream()
  await expect.poll(() => clock.sleepers()).toBe(1)
  control.emit('ses_demo', { type: 'session.note' })
  await clock.advance(1_500)
  await expect.poll(() => [stream.frames.length, stream.comments.length]).toEqual([1, 1])
  await clock.advance(500)
  control.emit('ses_demo', { type: 'session.note' })
  await clock.advance(60_000)
  expect(await isUnanswered(stream.ended)).toBe(true)
  expect([stream.frames.length, stream.comments.length]).toEqual([1, 1])
  const next = await sessionApi(url).stream({ 'last-event-id': stream.frames[0]?.id ?? '' })
  await expect.poll(() => next.frames.length).toBe(1)
})

test('stream-muted=0s: not even what was missed comes', async () => {
  const { streamUrl, note, opened } = await start('stream-muted=0s')
  const { id } = note().envelope
  note()
  const stream = await openStream(streamUrl, { 'last-event-id': String(id) })
  await opened()
  note()
  expect(await isUnanswered(stream.ended)).toBe(true)
  expect(stream.frames).toEqual([])
})

test('stream-split: every byte comes by itself, also those of one character', async () => {
  const { streamUrl, note, opened } = await start('stream-split')
  const stream = await chunksOf(streamUrl)
  await opened()
  const { raw } = note('žluťoučký 🐎')
  await expect.poll(stream.text).toContain(`data: ${raw}\n\n`)
  expect(new Set(stream.chunks.map(({ length }) => length))).toEqual(new Set([1]))
  stream.leave()
})

test('stream-trickle: a byte comes at a time, in order, and a client that leaves ends it', async () => {
  const { streamUrl, note, opened, clock, control } = await start('stream-trickle=10ms')
  const stream = await chunksOf(streamUrl)
  await opened()
  const texts = [note('one'), note('two')].map(
    ({ envelope, raw }) => `event: session.note\nid: ${envelope.id}\ndata: ${raw}\n\n`,
  )
  await clock.advance(10 * 10)
  await expect.poll(stream.text).toBe(texts[0]?.slice(0, 10))
  await clock.advance(10 * texts.join('').length)
  await expect.poll(stream.text).toBe(texts.join(''))
  note('three')
  stream.leave()
  await expect.poll(() => [control.streamCount(), clock.sleepers()]).toEqual([0, 0])
})

test('stream-junk: much comes that is no event, at the start and before every event', async () => {
  const { streamUrl, note, opened } = await start('stream-junk')
  const stream = await chunksOf(streamUrl)
  await opened()
  const { raw } = note()
  await expect.poll(stream.text).toContain(`data: ${raw}\n\n`)
  const before = stream.text().split('event: session.note\n')[0] as string
  const junk = before.slice(0, before.length / 2)
  expect(before).toBe(junk + junk)
  const data = junk.split('\n').filter((line) => line.startsWith('data: '))
  expect(data.map((line) => isJson(line.slice(6)))).toEqual([true, false, false, true])
  expect(junk).toMatch(/^: .*\n\n/)
  expect(junk).toMatch(/^event: x-unheard-of$/m)
  expect(junk.endsWith('\n\n')).toBe(true)
  stream.leave()
})

test('stream-endless-line: one line goes on for as long as it is read, and no event comes', async () => {
  const { streamUrl, note, opened, clock, control } = await start('stream-endless-line')
  const stream = await chunksOf(streamUrl)
  await opened()
  note()
  await clock.advance(100)
  await expect.poll(() => stream.text().length).toBeGreaterThan(5_000_000)
  expect(stream.text()).toMatch(/^data: x+$/)
  stream.leave()
  await expect.poll(() => [control.streamCount(), clock.sleepers()]).toEqual([0, 0])
})

test('faults of one stream add up, in the order of the list', async () => {
  const { streamUrl, note, opened, clock } = await start('stream-junk', 'stream-split', 'stream-closed=1s')
  const stream = await chunksOf(streamUrl)
  await opened()
  const { raw } = note()
  await clock.advance(1_000)
  expect(await stream.ended).toBe('ended')
  expect(stream.text()).toContain(`data: ${raw}\n\n`)
  expect(stream.text()).toContain('x-unheard-of')
  expect(stream.chunks.every(({ length }) => length === 1)).toBe(true)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
