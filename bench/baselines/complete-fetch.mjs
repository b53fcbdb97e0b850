// What `complete` does, written by hand in a few lines: subscribe, look, post. Without a journal, locks, or any care.
//   node complete-fetch.mjs SESSION TOOL_USE_ID TEXT
const [sessionId, tool_use_id, text] = process.argv.slice(2)
const url = `${process.env.HERM_BASE_URL}/v1/sessions/${sessionId}/events`
const headers = { 'x-api-key': process.env.PRISM_API_KEY }

const stream = await fetch(`${url}/stream`, { headers })
await stream.body.getReader().read()

const { data } = await (await fetch(`${url}?limit=100`, { headers })).json()
const standing = data.find(
  ({ payload }) => payload.type === 'user.custom_tool_result' && payload.tool_use_id === tool_use_id,
)
if (standing?.payload.status !== 'running' || data.at(-1).type !== 'session.status_idle') process.exit(1)

const payload = { type: 'user.custom_tool_result', tool_use_id, content: [{ type: 'text', text }] }
const answer = await fetch(url, {
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify({ events: [{ ...payload, status: 'completed', is_error: false }] }),
})
if (answer.status !== 202) process.exit(1)
console.log((await answer.json()).events[0].id)
process.exit()
