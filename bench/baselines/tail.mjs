// The plainest tail: a stream, parsed and printed.
//   node tail.mjs SESSION
import { createParser } from 'eventsource-parser'
import { request } from 'undici'

const { body } = await request(`${process.env.HERM_BASE_URL}/v1/sessions/${process.argv[2]}/events/stream`, {
  headers: { 'x-api-key': process.env.PRISM_API_KEY, accept: 'text/event-stream' },
})
const decoder = new TextDecoder()
const parser = createParser({
  onEvent({ data }) {
    JSON.parse(data)
    process.stdout.write(`${data}\n`)
  },
})
for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }))
