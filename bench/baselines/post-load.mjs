// Opens a stream on each of the sessions, posts events to them in turn over kept connections, and reads every stream until
// all of them have come. Prints what it took.
//   node post-load.mjs '{"url":…,"sessions":[…],"posts":20000}'
import { createParser } from 'eventsource-parser'
import { Agent, Pool } from 'undici'

/** Enough to keep the service busy. */
const CONNECTIONS = 16
/** Of the last event, once the last post is accepted. */
const PATIENCE_MS = 30_000

const { url, sessions, posts } = JSON.parse(process.argv[2])
const body = JSON.stringify({ events: [{ type: 'user.steer', message: 'A little faster, please.' }] })
/** Before the clock runs, so that both sides run warm. */
const warmUp = Math.ceil(posts / 10)
const streamsOfOne = sessions.length / new Set(sessions).size
const expected = (warmUp + posts) * streamsOfOne
let received = 0
let seenAll
const allSeen = new Promise((resolve) => {
  seenAll = resolve
})

const streams = new Agent({ connections: sessions.length, bodyTimeout: 0 })
await Promise.all(sessions.map(openStream))

const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 })
await postAll(warmUp)
const receivedBefore = received
const startedAt = performance.now()
await postAll(posts)
const postedMs = performance.now() - startedAt
await Promise.race([allSeen, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())])
const receivedMs = performance.now() - startedAt
const isComplete = received === expected
console.log(JSON.stringify({ postedMs, isComplete, receivedInTime: received - receivedBefore, receivedMs }))
process.exit()

async function openStream(sessionId) {
  const answer = await streams.request({ origin: url, path: `/v1/sessions/${sessionId}/events/stream`, method: 'GET' })
  if (answer.statusCode !== 200) throw new Error(`a stream was answered with ${answer.statusCode}`)
  const parser = createParser({
    onEvent({ event }) {
      if (event === 'user.steer' && ++received === expected) seenAll()
    },
  })
  void feed(parser, answer.body)
}

async function feed(parser, body) {
  const decoder = new TextDecoder()
  for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }))
}

/** On each connection one after the other. */
async function postAll(count) {
  let next = 0
  const postInTurn = async () => {
    while (next < count) await post(sessions[next++ % sessions.length])
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, postInTurn))
}

async function post(sessionId) {
  const answer = await pool.request({
    method: 'POST',
    path: `/v1/sessions/${sessionId}/events`,
    headers: { 'content-type': 'application/json' },
    body,
  })
  await answer.body.dump()
  if (answer.statusCode !== 202) throw new Error(`a post was answered with ${answer.statusCode}`)
}
