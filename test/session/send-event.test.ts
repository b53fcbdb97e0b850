import { describe, expect, test } from 'vitest'
import { HermError } from '../../src/errors.ts'
import { userMessage } from '../../src/protocol/user-events.ts'
import { sendEvent } from '../../src/session/send-event.ts'
import { caught, testClient } from '../client/test-http.ts'
import { type Behaviour, cutAfterReading, json, neverAnswers, status, text } from '../helpers/scripted-server.ts'
import { scriptedSession } from '../helpers/scripted-session.ts'
import { refusal } from '../helpers/session-events.ts'
import { event } from '../protocol/session-log.ts'

const { envelope } = event(7, 'user.message')

async function send(post: Behaviour, stop = new AbortController()) {
  const server = await scriptedSession({ post })
  const sending = sendEvent({
    client: testClient(server.url),
    sessionId: server.sessionId,
    event: userMessage([{ type: 'text', text: 'hello' }]),
    signal: stop.signal,
  })
  return { server, sending }
}

describe('the event of an accepted message is found in', () => {
  test.each<[string, Behaviour, string | undefined]>([
    ['events', json({ events: [envelope] }, { status: 202 }), 'evt_7'],
    ['data', json({ data: [envelope] }, { status: 202 }), 'evt_7'],
    ['a bare envelope', json(envelope, { status: 202 }), 'evt_7'],
    ['a bare array', json([envelope], { status: 202 }), 'evt_7'],
    ['nothing, when the answer is empty', status(202), undefined],
  ])('%s', async (_name, post, expected) => {
    expect((await (await send(post)).sending)?.id).toBe(expected)
  })
})

describe('a message that was not accepted for certain', () => {
  test.each<[string, Behaviour, object]>([
    ['lost', cutAfterReading, { kind: 'unknown', hint: expect.stringContaining('--type user.message --last 1') }],
    ['failed', refusal(500, 'broken'), { kind: 'unknown' }],
    ['cut short', text('{"events":[', { status: 202 }), { kind: 'unknown' }],
    [
      'out of turn',
      refusal(409, 'invalid_state'),
      { kind: 'rejected', hint: expect.stringContaining('herm-tools wait') },
    ],
    ['wrong', refusal(400, 'invalid_request'), { kind: 'rejected', serviceCode: 'invalid_request' }],
    [
      'too many',
      refusal(429, 'rate_limited'),
      { kind: 'rejected', status: 429, hint: expect.stringContaining('Wait') },
    ],
    [
      'too many, for a time',
      json({}, { status: 429, headers: { 'retry-after': '7' } }),
      { hint: 'Wait 7 s, and run the same command again.' },
    ],
    ['forbidden', refusal(403, 'forbidden'), { kind: 'auth' }],
  ])('%s: is sent once', async (_name, post, expected) => {
    const { server, sending } = await send(post)
    expect(await caught(sending)).toMatchObject(expected)
    expect(server.requests).toHaveLength(1)
  })

  test('interrupted', async () => {
    const stop = new AbortController()
    const { server, sending } = await send(neverAnswers, stop)
    const error = caught(sending)
    await server.arrived(1)
    stop.abort(new HermError('terminated', 'terminated'))
    expect(await error).toMatchObject({
      kind: 'terminated',
      message: expect.stringContaining('may have been accepted'),
    })
  })
})
