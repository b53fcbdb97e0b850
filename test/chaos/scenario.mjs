/** Finals of one session take turns, so a session has a handful of calls, all asked for at once: its turn waits for all of them. */
export const CALLS_PER_SESSION = 5

/** Sessions that begin with their calls waiting; each final starts a short turn. */
export function scenario(finals) {
  const lines = ['agents:']
  for (const size of new Set(sizes(finals))) {
    lines.push(
      `  worker-${size}:`,
      '    - when: message',
      '      do:',
      '        - calls:',
      ...Array.from({ length: size }, (_, index) => `            - tool: job_${index + 1}`),
      '        - say: All of them are under way.',
      '    - when: result',
      '      do:',
      '        - wait: 20ms',
      "        - say: '{{tool}} is {{status}}.'",
    )
  }
  lines.push('sessions:')
  sizes(finals).forEach((size, index) => {
    lines.push(`  - { id: ses_${index + 1}, agent: worker-${size}, message: Begin. }`)
  })
  return `${lines.join('\n')}\n`
}

/** Every call that waits, with its session. */
export async function callIdsOf(url) {
  const calls = []
  for (const session of await everySession(url)) {
    const { data } = await getJson(`${url}/v1/sessions/${session.id}/events?limit=100`)
    for (const event of data) {
      if (event.type !== 'agent.custom_tool_use') continue
      calls.push({ sessionId: session.id, toolUseId: event.payload.tool_use_id })
    }
  }
  return calls
}

function sizes(finals) {
  const full = Array(Math.floor(finals / CALLS_PER_SESSION)).fill(CALLS_PER_SESSION)
  const rest = finals % CALLS_PER_SESSION
  return rest === 0 ? full : [...full, rest]
}

async function everySession(url) {
  const sessions = []
  let cursor = ''
  do {
    const page = await getJson(`${url}/v1/sessions?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    sessions.push(...page.data)
    cursor = page.nextCursor ?? ''
  } while (cursor)
  return sessions
}

async function getJson(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`)
  return response.json()
}
