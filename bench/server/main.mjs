/**
 * A service that costs next to nothing, so that what is measured is its client. The id of a session says what the session
 * is like (sessions.mjs), and every id is a session. The argument is how long each answer is held back, in milliseconds.
 */
import { createServer } from 'node:http'
import { eventText, frameOf } from './events.mjs'
import { pace } from './pace.mjs'
import { sessionOf } from './sessions.mjs'

const holdMs = Number(process.argv[2])
const counts = { histories: 0, posts: 0, mostAtOnce: 0 }
/** By session: how often something was posted to it. */
const posts = new Map()
/** By session: the streams that are open. */
const open = new Map()
let unanswered = 0

const server = createServer((request, response) => {
  counts.mostAtOnce = Math.max(counts.mostAtOnce, ++unanswered)
  if (holdMs === 0) answer(request, response)
  else setTimeout(answer, holdMs, request, response)
})
server.keepAliveTimeout = 60_000
await new Promise((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve))

const offers = {
  url: () => ({ url: `http://127.0.0.1:${server.address().port}` }),
  counts: () => ({ ...counts, postsOfOne: Math.max(0, ...posts.values()) }),
  /** Sends events to all open streams in turn. Resolves once the last is sent. */
  pace({ perSecond, events }) {
    const streams = [...open].flatMap(([id, responses]) => [...responses].map((response) => ({ id, response })))
    return pace({ perSecond, events }, (index) => {
      const { id, response } = streams[index % streams.length]
      response.write(
        frameOf(nextEvent(id, { type: 'agent.message', content: [{ type: 'text', text: 'Still at it.' }] })),
      )
    })
  },
}
process.on('message', async ({ id, name, options }) => process.send({ id, value: await offers[name](options) }))
process.on('disconnect', () => process.exit())

function answer(request, response) {
  unanswered--
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const [, id, rest] = /^\/v1\/sessions\/(\w+)(.*)$/.exec(pathname) ?? []
  if (rest === '/events/stream') openStream(id, response)
  else if (rest === '/events' && request.method === 'POST') accept(id, request, response)
  else if (rest === '/events') list(id, Number(searchParams.get('cursor') ?? 0), response)
  else if (rest === '') answerJson(response, 200, JSON.stringify({ id, status: 'idle' }))
  else answerJson(response, 404, '{"error":{"code":"not_found","message":"there is nothing here"}}')
}

function list(id, page, response) {
  if (page === 0) counts.histories++
  answerJson(response, 200, sessionOf(id).page(page))
}

function openStream(id, response) {
  const responses = open.get(id) ?? new Set()
  open.set(id, responses.add(response))
  response.once('close', () => responses.delete(response))
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': welcome\n\n')
  void sessionOf(id).play?.(response)
}

/** Accepts whatever comes. protocol: a final takes the place of the running result, which a stream need not tell. */
async function accept(id, request, response) {
  const chunks = await request.toArray()
  const [event] = JSON.parse(Buffer.concat(chunks)).events
  counts.posts++
  posts.set(id, (posts.get(id) ?? 0) + 1)
  const isResult = event.type === 'user.custom_tool_result'
  const text = isResult ? eventText({ sequence: sessionOf(id).resultSequence, payload: event }) : nextEvent(id, event)
  answerJson(response, 202, `{"events":[${text}]}`)
  if (!isResult) for (const stream of open.get(id) ?? []) stream.write(frameOf(text))
}

function nextEvent(id, payload) {
  const session = sessionOf(id)
  session.sequence++
  return eventText({ sequence: session.sequence, payload })
}

function answerJson(response, status, body) {
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body)
}
