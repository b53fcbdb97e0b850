import type { Envelope } from '../../src/protocol/envelope.ts'
import { message, post, result } from '../emulator/api.ts'
import { type StartedEmulator, startEmulator } from './emulator.ts'
import { type FaultProxy, faultProxy } from './fault-proxy.ts'
import type { ToolEnd } from './run-tool.ts'
import { type Runs, runsIn } from './runs-in.ts'
import { type ToolHome, toolHome } from './tool-home.ts'

export const SESSION = 'ses_1'
/** The first call of the emulator. */
export const CALL = callId(1)

export function callId(number: number): string {
  return `custom_toolu_${String(number).padStart(6, '0')}`
}

/** An agent that renders, one call or several at a time, and repeats what a result told it. */
const SCENARIO = `
agents:
  worker:
    - when: message
      matches: ^slow$
      do: [{ wait: 10s }, { say: that took its time }]
    - when: message
      matches: ^ask$
      do: [{ call: { tool: render, policy: always_ask } }]
    - when: message
      matches: ^chatter$
      do: [${'{ say: one word and another and a third, deltas: true }, '.repeat(5)}{ wait: 1m }]
    - when: message
      do: [{ call: { tool: render } }, { say: 'the tool said {{answer}}' }]
    - when: result
      matches: ^long
      do: [{ say: 'got {{status}} {{text}}' }, { wait: 1s }]
    - when: result
      do: [{ say: 'got {{status}} {{text}}' }]
sessions:
  - { id: ${SESSION}, agent: worker, message: go }
`

/** A session whose turn waits for the answer to CALL, the tool in front of it, and what can happen in between. */
export interface DeliveryStage extends Runs {
  readonly emulator: StartedEmulator
  /** The tool speaks to the emulator through it. */
  readonly proxy: FaultProxy
  readonly home: ToolHome
  readonly env: Readonly<Record<string, string>>
  /** Somebody else's events, past the proxy. */
  send(...events: unknown[]): Promise<void>
  /** Ends the call's first turn with a kickoff by somebody else: from then on a final is owed. */
  kickOff(toolUseId?: string): Promise<void>
  /** The finals in the history, as `status text`. */
  finals(): string[]
  /** The id of the event that holds the result of CALL. */
  resultId(): string | undefined
  /** What the agent was told by finals, each in a turn of its own. */
  told(): string[]
  /** How often the service was sent something by the tool. */
  posts(): number
}

export async function deliveryStage(
  options: { scenario?: string; answerLimitMs?: number } = {},
): Promise<DeliveryStage> {
  const emulator = await startEmulator({ scenario: SCENARIO, ...options })
  const proxy = await faultProxy(emulator.url)
  const home = toolHome()
  const env = { ...home.env, HERM_BASE_URL: proxy.url }
  const send = async (...events: unknown[]) => {
    for (const event of events) {
      const { status, body } = await post(`${emulator.url}/v1/sessions/${SESSION}/events`, { events: [event] })
      if (status !== 202) throw new Error(`the emulator refused an event of the test: ${JSON.stringify(body)}`)
    }
  }
  const payloads = () => emulator.control.events(SESSION).map(({ envelope }) => envelope.payload)
  return {
    emulator,
    proxy,
    home,
    env,
    ...runsIn(env),
    send,
    kickOff: (toolUseId = CALL) => send(result(toolUseId, 'running', 'started')),
    finals: () =>
      payloads()
        .filter(({ type, status }) => type === 'user.custom_tool_result' && status !== 'running')
        .map((payload) => `${payload.status} ${textOf(payload)}`),
    resultId: () => {
      const isResult = ({ payload, type }: Envelope) => payload.tool_use_id === CALL && type.startsWith('user.')
      return emulator.control.events(SESSION).find(({ envelope }) => isResult(envelope))?.envelope.id
    },
    told: () => payloads().flatMap((payload) => /^got (.*)$/s.exec(textOf(payload))?.[1] ?? []),
    posts: () => proxy.posts().length,
  }
}

/** The arguments of a result command for CALL. */
export function resultArgs(command: 'running' | 'complete' | 'fail', text: string, ...more: string[]): string[] {
  return [command, '--session', SESSION, '--tool-use-id', CALL, '--text', text, '--settle', '300ms', '--json', ...more]
}

/** The last line of stderr: with `--json`, the error. */
export function errorOf({ stderr }: Pick<ToolEnd, 'stderr'>): Record<string, unknown> & { message: string } {
  return JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
}

export { message, result }

function textOf(payload: Envelope['payload']): string {
  const { content } = payload
  return Array.isArray(content) ? content.map(({ text }) => text).join('') : ''
}
