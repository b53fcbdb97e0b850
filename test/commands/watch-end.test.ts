import { describe, expect, it, test } from 'vitest'
import { atScriptedSession, atSession } from '../helpers/at-session.ts'
import type { ToolRun } from '../helpers/run-tool.ts'
import { type Behaviour, eventStream, html, liveStream, neverAnswers, refusedPort } from '../helpers/scripted-server.ts'
import { frameOf, type SessionScript } from '../helpers/scripted-session.ts'
import { blocked, call, kickoff, refusal, said } from '../helpers/session-events.ts'
import { event } from '../protocol/session-log.ts'

describe('the end', () => {
  it('of --until is 0, and 8 when it was not met in time', async () => {
    const { run } = await atScriptedSession({ history: [call(1), blocked(2)] })
    expect(await run(['watch', '--until', 'call=render'])).toMatchObject({ code: 0, stderr: '' })
    expect(await run(['watch', '--until', 'call'])).toMatchObject({ code: 0 })
    const late = await run(['watch', '--until', 'result=call_1', '--timeout', '300ms'])
    expect(late).toMatchObject({ code: 8, stderr: expect.stringContaining('within 0.3 s') })
    expect(await run(['watch', '--timeout', '300ms'])).toMatchObject({ code: 0, stderr: '' })
  })

  test.each<[string, Behaviour, number, string]>([
    ['401', refusal(401, 'unauthorized'), 4, 'because unauthorized'],
    ['403', refusal(403, 'forbidden'), 4, 'because forbidden'],
    ['404', refusal(404, 'not_found'), 5, 'because not_found'],
    ['a page', html('<html>Log in</html>'), 1, 'text/html'],
  ])('after %s', async (_name, stream, code, words) => {
    const { run, server } = await atScriptedSession({ streams: [stream] })
    expect(await run(['watch'])).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) })
    expect(server.requests).toHaveLength(1)
  })

  it('is 9 when there is no service', async () => {
    const { run } = atSession({ url: `http://127.0.0.1:${await refusedPort()}`, sessionId: 's' })
    expect(await run(['watch'])).toMatchObject({ code: 9, stderr: expect.stringContaining('ECONNREFUSED') })
  })

  it('is quiet when the reader of stdout goes away', async () => {
    const live = liveStream()
    const { start: tool } = await atScriptedSession({ streams: [live.behaviour], history: [said(1)] })
    const run = tool(['watch', '--json'])
    await run.says(/evt_1/)
    run.child.stdout?.destroy()
    const sending = setInterval(() => live.send(frameOf(said(2)) + frameOf(said(3))), 20)
    const end = await run.ended
    clearInterval(sending)
    expect(end).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  test.each<[string, NodeJS.Signals, number, SessionScript, (run: ToolRun) => Promise<void>]>([
    ['in a quiet stream', 'SIGINT', 130, { history: [said(1)] }, (run) => run.says(/agent/)],
    ['in a quiet stream', 'SIGTERM', 143, { history: [said(1)] }, (run) => run.says(/agent/)],
    [
      'while disconnected',
      'SIGINT',
      130,
      { streams: [eventStream(['retry: 60000\n\n'])] },
      (run) => run.says(/again in 60/, 'stderr'),
    ],
    [
      'while history is read',
      'SIGTERM',
      143,
      { history: () => neverAnswers },
      (run) => run.says(/stream: 200/, 'stderr'),
    ],
    [
      'while the service refuses',
      'SIGINT',
      130,
      { streams: [refusal(503, 'busy')] },
      (run) => run.says(/503/, 'stderr'),
    ],
  ])('comes promptly %s by %s, as %i', async (_name, signal, code, script, isThere) => {
    const run = (await atScriptedSession(script)).start(['watch', '--debug'])
    await isThere(run)
    const sentAt = performance.now()
    run.child.kill(signal)
    const end = await run.ended
    expect(end.code).toBe(code)
    expect(performance.now() - sentAt).toBeLessThan(PROMPT_MS)
    expect(end.stderr).toMatch(/(interrupted|terminated)\n$/)
  })

  it('by a signal says which calls are still open, and how to answer them', async () => {
    const { start } = await atScriptedSession({ history: [call(1), kickoff(2)] })
    const run = start(['watch', '--json'])
    await run.says(/"running"/)
    run.child.kill('SIGINT')
    const { code, stderr } = await run.ended
    expect(code).toBe(130)
    expect(stderr).toContain(
      'still running: render. herm-tools complete --session session_1 --tool-use-id call_1 --file result.txt\n',
    )
  })

  it('comes promptly by a signal when nobody reads what it prints', async () => {
    const { server, start: tool } = await atScriptedSession({ streams: [firehose().behaviour] })
    const run = tool(['watch'])
    run.child.stdout?.pause()
    await server.arrived(2)
    await new Promise((resolve) => setTimeout(resolve, 300))
    run.child.kill('SIGTERM')
    // Node lets a process end only when its pipe has taken everything.
    run.child.stdout?.resume()
    expect(await run.ended).toMatchObject({ code: 143 })
  })
})

it('does not fill the memory when nobody reads what it prints', async () => {
  const { behaviour, sentBytes } = firehose()
  const { start: tool } = await atScriptedSession({ streams: [behaviour] })
  const run = tool(['watch', '--json', '--since', 'start'])
  await run.says(/evt_1"/)
  run.child.stdout?.pause()
  let before = -1
  while (sentBytes() !== before) {
    before = sentBytes()
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  const read = run.stdout().length
  expect(sentBytes() - read).toBeLessThan(40_000_000)
  run.child.stdout?.resume()
  while (run.stdout().length < read + 20_000_000) await new Promise((resolve) => setTimeout(resolve, 20))
})

/** A stream that says more and more, as fast as it is read. */
function firehose(): { behaviour: Behaviour; sentBytes: () => number } {
  const filler = 'x'.repeat(16_000)
  let sent = 0
  return {
    sentBytes: () => sent,
    behaviour: {
      readsBody: true,
      async run({ response }) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (let sequence = 1; !response.destroyed; sequence++) {
          const frame = frameOf(event(sequence, 'agent.message', { filler }))
          sent += frame.length
          await new Promise<void>((resolve) => response.write(frame, () => resolve()))
        }
      },
    },
  }
}

/** Far less than any limit that would end it as well, far more than a busy machine takes. */
const PROMPT_MS = 15_000
