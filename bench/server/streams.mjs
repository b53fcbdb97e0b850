import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventText, frameOf, messageText } from './events.mjs'
import { pace } from './pace.mjs'

/** Frames that are written at once, about 64 KiB. */
const CHUNK_FRAMES = 200
/** By number of events. @type {Map<number, Buffer[]>} */
const floods = new Map()

/** As many events as fast as the other side takes them, rendered beforehand. */
export async function flood(response, { events }) {
  if (!floods.has(events)) floods.set(events, floodOf(events))
  // Whoever has seen enough may leave.
  await pipeline(Readable.from(floods.get(events)), response).catch(() => undefined)
}

function floodOf(events) {
  const chunks = []
  for (let start = 0; start < events; start += CHUNK_FRAMES) {
    const length = Math.min(CHUNK_FRAMES, events - start)
    const frames = Array.from({ length }, (_, index) => frameOf(floodEvent(start + index + 1, events)))
    chunks.push(Buffer.from(frames.join('')))
  }
  return chunks
}

function floodEvent(sequence, events) {
  return sequence < events ? messageText(sequence) : endText(sequence)
}

/** What `watch --until type=bench.end` waits for. */
function endText(sequence) {
  return eventText({ sequence, payload: { type: 'bench.end' } })
}

/** Whoever connects has read the history by then, and runs warm. */
const SETTLE_MS = 1_000

/** As many events a second; each says when it was written, in microseconds of the system's clock that never jumps. */
export async function paced(response, { perSecond, events }) {
  await sleep(SETTLE_MS)
  await pace({ perSecond, events }, (index) => {
    const payload = { type: 'agent.message', content: [{ type: 'text', text: 'Still at it.' }], sent_us: nowUs() }
    response.write(frameOf(eventText({ sequence: index + 1, payload })))
  })
  response.end(frameOf(endText(events + 1)))
}

function nowUs() {
  return Number(process.hrtime.bigint() / 1000n)
}
