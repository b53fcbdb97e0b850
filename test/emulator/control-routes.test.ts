import { expect, test } from 'vitest'
import { startEmulator } from '../helpers/emulator.ts'
import { message, request, result, sessionApi } from './api.ts'
import { seeSent } from './exchange.ts'

const CALL = 'custom_toolu_000001'

const put = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  request(`${url}/_emulator/faults`, {
    method: 'PUT',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

test('faults are put in force, counted and taken away while the emulator runs', async () => {
  const { url, control } = await startEmulator({ faults: ['history-cut'], seed: 9 })
  const faultsUrl = `${url}/_emulator/faults`
  expect((await request(faultsUrl)).body).toEqual({
    seed: 9,
    faults: [{ fault: 'history-cut', chances: 0, fired: 0 }],
  })
  const inForce = { seed: 4, faults: [{ fault: 'post-cut,count=1', chances: 0, fired: 0 }] }
  expect(await put(url, { faults: ['post-cut,count=1'], seed: 4 })).toMatchObject({ status: 200, body: inForce })
  expect(await seeSent(url, message('hello'))).toBe('cut')
  expect(await seeSent(url, message('hello'))).toMatchObject({ status: 202 })
  expect((await request(faultsUrl)).body).toEqual({
    seed: 4,
    faults: [{ fault: 'post-cut,count=1', chances: 2, fired: 1 }],
  })
  expect((await request(faultsUrl, { method: 'DELETE' })).body).toEqual({ seed: 4, faults: [] })
  expect(control.faults()).toEqual({ seed: 4, faults: [] })
})

test('statistics tell what really happened', async () => {
  const { url, control } = await startEmulator({
    faults: ['accepted-error=500,after=2,count=2', 'post-refused=503,after=7'],
  })
  const api = sessionApi(url)
  await api.send(message('go'))
  await api.send(result(CALL, 'running'))
  for (let n = 0; n < 2; n++) await api.send(result(CALL, 'completed'))
  await api.send(message('again'))
  expect((await api.send(message('too soon'))).status).toBe(409)
  expect((await api.send(result('custom_toolu_000002', 'running'))).status).toBe(202)
  expect((await api.send(message('once more'))).status).toBe(503)
  await request(`${url}/v1/sessions/ses_none`)
  await api.stream()
  const stats = {
    accepted: 6,
    refused: { invalid_state: 1, not_found: 1 },
    finals: { [CALL]: 2 },
    streams: 1,
    faults: { 'accepted-error': 2, 'post-refused': 1 },
  }
  expect((await request(`${url}/_emulator/stats`)).body).toEqual(stats)
  expect(control.stats()).toEqual(stats)
})

test.each([
  ['no JSON', '{', /^the body is not JSON/],
  ['no list', {}, /^faults: /],
  ['an unknown key', { faults: [], sead: 3 }, /^sead: there is no such key/],
  ['a seed that is no number', { faults: [], seed: 'x' }, /^seed: /],
  [
    'an unknown fault',
    { faults: ['post-cut', 'post-cat'] },
    /^faults\[1\]: there is no fault "post-cat"\. The faults are /,
  ],
  ['a bad value', { faults: ['post-late=soon'] }, /^faults\[0\]: fault post-late: it needs a duration/],
])('%s is refused, and what is in force stays', async (_name, body, words) => {
  const { url, control } = await startEmulator({ faults: ['history-cut'] })
  const answer = await put(url, body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
  expect(answer.body.error.message).toMatch(words)
  expect(control.faults().faults.map(({ fault }) => fault)).toEqual(['history-cut'])
})

test('no fault acts on it', async () => {
  const { url } = await startEmulator({ faults: ['key-revoked', 'slow-request=1h', 'slow-answer=1h', 'clock-skew=1h'] })
  expect((await request(`${url}/_emulator/stats`)).status).toBe(200)
  expect(await request(`${url}/_emulator/faults`, { method: 'DELETE' })).toMatchObject({ status: 200 })
  expect((await request(`${url}/v1/sessions`)).status).toBe(200)
})

test('it needs the key when there is one', async () => {
  const { url, control } = await startEmulator({ apiKey: 'the-secret' })
  const headers = { 'x-api-key': 'the-secret' }
  expect((await request(`${url}/_emulator/stats`)).status).toBe(401)
  expect((await put(url, { faults: ['post-cut'] })).status).toBe(401)
  expect(control.faults().faults).toEqual([])
  expect((await request(`${url}/_emulator/stats`, { headers })).status).toBe(200)
  expect((await put(url, { faults: ['post-cut'] }, headers)).status).toBe(200)
})

test.each([
  ['GET', '/_emulator/', 404],
  ['GET', '/_emulator/nothing', 404],
  ['POST', '/_emulator/faults', 405],
  ['DELETE', '/_emulator/stats', 405],
])('%s %s is %i', async (method, path, status) => {
  const { url } = await startEmulator()
  expect((await request(url + path, { method })).status).toBe(status)
})
