import { expect, it } from 'vitest'
import { inOrder, readSessionState } from '../../src/session/read-history.ts'
import { testClient } from '../client/test-http.ts'
import { page, scriptedSession } from '../helpers/scripted-session.ts'
import { event, result } from '../protocol/session-log.ts'

const kickoff = event(2, 'user.custom_tool_result', result('a', 'running', ''))
const final = event(2, 'user.custom_tool_result', result('a', 'completed', ''))

it('orders a history by sequence, each event once, in its later version', () => {
  const [one, three] = [event(1, 'x'), event(3, 'x')]
  expect(inOrder([three, final, one, three, kickoff])).toEqual([one, final, three])
  expect(inOrder([kickoff, final])).toEqual([final])
  expect(inOrder([])).toEqual([])
})

it('reads the state from pages in any order', async () => {
  const call = event(1, 'agent.custom_tool_use', { tool_use_id: 'a', name: 'render' })
  const server = await scriptedSession({
    history: ({ url }) => (url.includes('cursor') ? page([call]) : page([event(3, 'agent.message'), kickoff], 'older')),
  })
  const state = await readSessionState({ client: testClient(server.url), sessionId: 'session_1' })
  expect(state).toMatchObject({ turn: { state: 'running' }, lastSequence: 3 })
  expect([...state.calls.values()]).toMatchObject([{ toolUseId: 'a', name: 'render', state: 'running' }])
})
