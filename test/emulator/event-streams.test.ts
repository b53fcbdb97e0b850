import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { testClock } from '../helpers/test-clock.ts'
import { message, openStream, result, sessionApi } from './api.ts'

const CALL = 'custom_toolu_000001'

test('a stream tells what happens from now on, each event as history has it', async () => {
  const { url, control } = await startEmulator()
  const api = sessionApi(url)
  await api.send(message('before'))
  const stream = await api.stream()
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const before = control.events('ses_demo').length
  await api.send(result(CALL, 'running'))
  const news = (await api.history()).slice(before)
  await expect.poll(() => stream.frames.length).toBe(news.length)
  expect(stream.frames).toEqual(news.map((data) => ({ event: data.type, id: data.id, data })))
})

test('streams tell of their own session only, and all of its streams are told', async () => {
  const { url, control } = await startEmulator()
  const other = control.createSession({ agentId: 'video-agent' })
  const [first, second] = [await sessionApi(url).stream(), await sessionApi(url).stream()]
  const elsewhere = await sessionApi(url, other.id).stream()
  control.emit('ses_demo', { type: 'session.note', text: 'hello' })
  await expect.poll(() => [first.frames.length, second.frames.length]).toEqual([1, 1])
  control.emit(other.id, { type: 'session.note', text: 'there' })
  await expect.poll(() => elsewhere.frames.map(({ data }) => data.payload.text)).toEqual(['there'])
})

test('Last-Event-ID brings what followed that event first, in its present version', async () => {
  const { url } = await startEmulator()
  const api = sessionApi(url)
  await api.send(message('go'))
  await api.send(result(CALL, 'running'))
  await api.send(result(CALL, 'completed', 'ready'))
  const history = await api.history()
  const stream = await api.stream({ 'last-event-id': history[1]?.id ?? '' })
  await expect.poll(() => stream.frames.map(({ data }) => data)).toEqual(history.slice(2))
  await api.send(message('and on'))
  await expect.poll(() => stream.frames[history.length - 2]?.data.payload.type).toBe('user.message')
})

test('an unknown Last-Event-ID brings nothing of the past', async () => {
  const { url, control } = await startEmulator()
  await sessionApi(url).send(message('go'))
  const stream = await sessionApi(url).stream({ 'last-event-id': 'evt_unknown' })
  control.emit('ses_demo', { type: 'session.note' })
  await expect.poll(() => stream.frames.map(({ event }) => event)).toEqual(['session.note'])
})

test('a comment comes every 15 seconds', async () => {
  const { url, clock } = await startEmulator()
  const stream = await sessionApi(url).stream()
  await expect.poll(() => clock.sleepers()).toBe(1)
  await clock.advance(14_999)
  expect(stream.comments).toEqual([])
  await clock.advance(1)
  await expect.poll(() => stream.comments).toEqual(['heartbeat'])
  await clock.advance(30_000)
  await expect.poll(() => stream.comments).toHaveLength(3)
  expect(stream.frames).toEqual([])
})

test('the pause between comments can be set', async () => {
  const { url, clock } = await startEmulator({ heartbeatMs: 10 })
  const stream = await sessionApi(url).stream()
  await expect.poll(() => clock.sleepers()).toBe(1)
  await clock.advance(20)
  await expect.poll(() => stream.comments).toHaveLength(2)
})

test('dropped streams end; the client may come again', async () => {
  const { url, control } = await startEmulator()
  const api = sessionApi(url)
  const stream = await api.stream()
  control.dropStreams()
  control.emit('ses_demo', { type: 'session.note' })
  await stream.ended
  expect(stream.frames).toEqual([])
  await expect.poll(() => control.streamCount()).toBe(0)
  const next = await api.stream()
  control.emit('ses_demo', { type: 'session.note' })
  await expect.poll(() => next.frames).toHaveLength(1)
})

test('a client that leaves is forgotten, its heartbeat with it', async () => {
  const { url, control, clock } = await startEmulator()
  const stream = await sessionApi(url).stream()
  await expect.poll(() => control.streamCount()).toBe(1)
  stream.cut()
  await expect.poll(() => [control.streamCount(), clock.sleepers()]).toEqual([0, 0])
})

test('a client that does not read is cut off before it fills the memory', async () => {
  const { url, control } = await startEmulator()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause().write('GET /v1/sessions/ses_demo/events/stream HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => control.streamCount()).toBe(1)
  const text = 'x'.repeat(1024 * 1024)
  for (let n = 0; n < 100; n++) control.emit('ses_demo', { type: 'session.note', text })
  await expect.poll(() => control.streamCount()).toBe(0)
  socket.destroy()
})

test('closing ends open streams and leaves no timer of a blocked turn', async () => {
  const { url, clock, close, control } = await startEmulator()
  await sessionApi(url).send(message('go'))
  const streams = await Promise.all(Array.from({ length: 20 }, () => sessionApi(url).stream()))
  await expect.poll(() => control.streamCount()).toBe(20)
  await close()
  await Promise.all(streams.map(({ ended }) => ended))
  expect(clock.sleepers()).toBe(0)
  await expect(openStream(`${url}/v1/sessions/ses_demo/events/stream`)).rejects.toThrow()
  await close()
})

test('closing does not wait for a request that is half sent, and one that breaks off does no harm', async () => {
  const { url, close, control } = await startEmulator()
  const half = 'POST /v1/sessions/ses_demo/events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"ev'
  const sockets = [0, 1].map(() => connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {}))
  for (const socket of sockets) await new Promise<void>((done) => socket.write(half, () => done()))
  sockets[0]?.destroy()
  expect((await sessionApi(url).send(message('go'))).status).toBe(202)
  await close()
  expect(control.events('ses_demo')).toHaveLength(5)
})

test('a port that is taken is told', async () => {
  const { url } = await startEmulator()
  const second = createEmulator({ clock: testClock() })
  await expect(second.listen({ port: Number(new URL(url).port) })).rejects.toThrow('EADDRINUSE')
  await second.close()
})
