import { describe, expect, it, test, vi } from 'vitest'
import { message, result, sessionApi } from '../emulator/api.ts'
import { atSession } from '../helpers/at-session.ts'
import { errorOf } from '../helpers/delivery-stage.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { testClock } from '../helpers/test-clock.ts'

const SESSION = 'ses_1'
const CALL = 'custom_toolu_000001'
const SCENARIO = `
agents:
  worker:
    - when: message
      matches: ^slow$
      do: [{ wait: 10s }, { say: at last }]
    - when: message
      matches: ^chat$
      do: [${'{ say: again }, '.repeat(150)}]
    - when: message
      do: [{ call: { tool: render } }, { wait: 10s }, { say: done }]
sessions:
  - { id: ${SESSION}, agent: worker }
`
const ANEW = 'the history begins anew'

/** A session of an emulator that can be started again, which then knows nothing of what was. */
async function stage(...sent: readonly unknown[]) {
  const first = await startEmulator({ scenario: SCENARIO })
  const api = sessionApi(first.url, SESSION)
  for (const one of sent) await api.send(one)
  return {
    ...atSession({ url: first.url, sessionId: SESSION }),
    api,
    /** With what came of this message in its history, before anybody else sees it. */
    async restart(text?: string) {
      await first.close()
      const port = Number(new URL(first.url).port)
      const scenario = SCENARIO.replace('worker }', text === undefined ? 'worker }' : `worker, message: ${text} }`)
      return startEmulator({ scenario, port, clock: testClock(first.clock.now() + 60_000) })
    },
  }
}

describe('a service that was started again, and has nothing of the session', () => {
  test('ends a wait: the session is idle', async () => {
    const { start, restart } = await stage(message('slow'))
    const run = start(['wait', '--json'])
    await run.says(/a turn is running/, 'stderr')
    await restart()
    const end = await run.ended
    expect(end).toMatchObject({ code: 0, stderr: expect.stringContaining(ANEW) })
    expect(end.records()).toMatchObject([{ type: 'herm_tools.idle', stop_reason: { type: 'end_turn' } }])
  })

  test('ends a delivery: there is no such call', async () => {
    const { start, restart } = await stage(message('go'), result(CALL, 'running'))
    const run = start(['complete', '--tool-use-id', CALL, '--text', 'done', '--json'])
    await run.says(/waiting for idle/, 'stderr')
    await restart()
    const end = await run.ended
    expect(end).toMatchObject({ code: 5, stdout: '' })
    expect(end.stderr).toContain(ANEW)
    expect(errorOf(end)).toMatchObject({ exit_code: 5 })
  })

  test('ends a delivery also where its new history is the longer one, and the session idle', async () => {
    const { start, restart } = await stage(message('go'), result(CALL, 'running'))
    const run = start(['complete', '--tool-use-id', CALL, '--text', 'done', '--json'])
    await run.says(/waiting for idle/, 'stderr')
    const second = await restart('chat')
    const end = await run.ended
    expect(end).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(ANEW) })
    expect(second.control.events(SESSION).filter(({ envelope }) => envelope.type.startsWith('user.custom'))).toEqual([])
  })

  test('ends the wait for a reply: the message went with all else', async () => {
    const { start, restart } = await stage()
    const run = start(['message', '--text', 'slow', '--wait', '--json'])
    await run.says(/"outcome":"accepted"/)
    await restart()
    const end = await run.ended
    expect(errorOf(end)).toMatchObject({
      exit_code: 1,
      message: expect.stringMatching(/anew; the message is accepted as evt_/),
    })
  })

  it('is noticed by watch, which goes on with what comes', async () => {
    const { start, restart, api } = await stage(message('go'))
    const run = start(['watch', '--json', '--until', 'type=agent.message'])
    await run.says(/custom_tool_use/)
    await restart()
    await run.says(new RegExp(`warning: session ${SESSION}: ${ANEW}`), 'stderr')
    await api.send(message('go'))
    const calls = () =>
      run
        .stdout()
        .split('\n')
        .filter((line) => line.includes('custom_tool_use'))
    await vi.waitFor(() => expect(calls()).toHaveLength(2), 10_000)
    await api.send(result(CALL, 'running'))
    await run.says(/custom_tool_result/)
    run.child.kill('SIGTERM')
    expect(await run.ended).toMatchObject({ code: 143, stderr: expect.stringContaining(`still running: render`) })
  })
})
