import { message, sessionApi } from '../emulator/api.ts'
import { atSession } from './at-session.ts'
import { type StartOptions, startEmulator } from './emulator.ts'

export const SESSION = 'ses_1'
/** The calls that await approval, by the tools `deploy` and `publish`, and one that needs none, by `render`. */
export const [DEPLOY, PUBLISH, RENDER] = ['custom_toolu_000001', 'custom_toolu_000002', 'custom_toolu_000003'] as const

const SCENARIO = `
agents:
  careful:
    - when: message
      do:
        - calls:
            - { tool: deploy, policy: always_ask, input: { to: prod } }
            - { tool: publish, policy: always_ask }
            - { tool: render }
        - say: over
sessions:
  - { id: ${SESSION}, agent: careful }
`

/** A session whose turn waits for the approval of two calls, and the tool beside it. */
export async function approvalStage(options: Pick<StartOptions, 'faults' | 'clock'> = {}) {
  const emulator = await startEmulator({ ...options, scenario: SCENARIO })
  const api = sessionApi(emulator.url, SESSION)
  await api.send(message('go'))
  return {
    emulator,
    api,
    ...atSession({ url: emulator.url, sessionId: SESSION }),
    /** The confirmations in the history. */
    confirmations: () =>
      emulator.control
        .events(SESSION)
        .map(({ envelope }) => envelope.payload)
        .filter(({ type }) => type === 'user.tool_confirmation'),
    /** From now on, this goes wrong; with nothing, all goes well. */
    break: (...faults: string[]) =>
      fetch(`${emulator.url}/_emulator/faults`, { method: 'PUT', body: JSON.stringify({ faults }) }),
  }
}
