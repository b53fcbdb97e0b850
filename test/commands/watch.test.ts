import { describe, expect, it, test } from 'vitest'
import { decodeEvent, type RawEvent } from '../../src/protocol/envelope.ts'
import { API_KEY, atScriptedSession, atSession } from '../helpers/at-session.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { linesOf, sequencesOf, typesOf } from '../helpers/printed.ts'
import { bytewise, eventStream, liveStream } from '../helpers/scripted-server.ts'
import { frameOf, quietStream } from '../helpers/scripted-session.ts'
import { call, final, idle, kickoff, refusal, said } from '../helpers/session-events.ts'
import { event, patchOf, result } from '../protocol/session-log.ts'

/** JSON that parsing and writing it again would change. */
function odd(sequence: number): RawEvent {
  const raw = String.raw`{"sequence":${sequence},"payload":{"n":1.0,"big":12345678901234567890,"e":"\u00e9\/\ud83d\ude00 größer","2":0,"1":[1e2,-0]},"type":"agent.odd","id":"evt_${sequence}"}`
  return decodeEvent(raw) as RawEvent
}

describe('--json', () => {
  it('gives every event once, in order, as the service wrote it, over streams that misbehave', async () => {
    const [two, three, four, five, six, seven] = [2, 3, 4, 5, 6, 7].map(odd) as [
      RawEvent,
      RawEvent,
      RawEvent,
      RawEvent,
      RawEvent,
      RawEvent,
    ]
    const all = [odd(1), two, three, four, five, six, seven]
    const severalLines = (raw: string) => `data: ${raw.replace('"type"', '\ndata: "type"')}\n\n`
    const { server, start: tool } = await atScriptedSession({
      history: [odd(1)],
      streams: [
        eventStream([severalLines(two.raw)]),
        eventStream(bytewise(frameOf(three).replaceAll('\n', '\r\n')), { finish: 'cut' }),
        eventStream([': again\n\n', ...all.slice(0, 4).map(frameOf)].map((one) => one.replaceAll('\n', '\r'))),
        eventStream([frameOf(five), frameOf(four), 'event: ping\ndata: {}\n\n', frameOf(six)]),
        eventStream([frameOf(seven)], { finish: 'hold' }),
      ],
    })
    const run = tool(['watch', '--json', '--since', 'start'])
    await run.says(/"sequence":7/)
    run.child.kill('SIGINT')
    const end = await run.ended
    const lines = linesOf(end.stdout)
    expect(lines.filter((line) => !line.includes('herm_tools.'))).toEqual(all.map(({ raw }) => raw))
    expect(lines).toContain('{"type":"herm_tools.frame","session_id":"session_1","name":"ping","data":"{}"}')
    const reconnected = lines.filter((line) => line.includes('herm_tools.reconnected')).map((line) => JSON.parse(line))
    expect(reconnected).toHaveLength(4)
    expect(reconnected[0]).toEqual({
      type: 'herm_tools.reconnected',
      session_id: 'session_1',
      reason: 'closed',
      down_ms: expect.any(Number),
      after_sequence: 2,
      recovered: expect.any(Number),
    })
    expect(reconnected[1]).toMatchObject({ reason: 'lost' })
    expect(server.asked('stream').at(-1)?.headers['last-event-id']).toBe('evt_6')
    expect(end.stderr).toContain('connection lost')
    expect(end.stderr).not.toContain('Warning')
  })

  it('tells once of a completion that happened while it was cut off', async () => {
    let isDone = false
    const live = liveStream()
    const { start: tool } = await atScriptedSession({
      streams: [live.behaviour, eventStream([]), quietStream],
      history: () => (isDone ? [call(1), final(2), said(3)] : [call(1), kickoff(2)]),
    })
    const run = tool(['watch', '--json'])
    await run.says(/"running"/)
    isDone = true
    live.cut()
    await run.says(/reconnected[\s\S]*reconnected/)
    expect(typesOf(run.stdout())).toEqual([
      'agent.custom_tool_use',
      'user.custom_tool_result',
      'herm_tools.result_updated',
      'agent.message',
      'herm_tools.reconnected',
      'herm_tools.reconnected',
    ])
    expect(linesOf(run.stdout())[2]).toBe(
      `{"type":"herm_tools.result_updated","session_id":"session_1","event_id":"evt_2","tool_use_id":"call_1","previous_status":"running","status":"completed","event":${final(2).raw}}`,
    )
  })

  it('does not tell of a completion again that a frame has told', async () => {
    let isDone = false
    const live = liveStream()
    const { start: tool } = await atScriptedSession({
      streams: [live.behaviour, quietStream],
      history: () => (isDone ? [final(1)] : [kickoff(1)]),
    })
    const run = tool(['watch', '--json'])
    await run.says(/"running"/)
    isDone = true
    live.send(frameOf(patchOf(final(1))))
    await run.says(/tool_updated/)
    live.end()
    await run.says(/reconnected/)
    expect(typesOf(run.stdout())).toEqual(['user.custom_tool_result', 'session.tool_updated', 'herm_tools.reconnected'])
  })

  it('tells an error as one record on stderr', async () => {
    const { run } = await atScriptedSession({ streams: [refusal(404, 'not_found')] })
    const end = await run(['watch', '--json'])
    expect(end).toMatchObject({ code: 5, stdout: '' })
    expect(JSON.parse(end.stderr)).toEqual({
      type: 'herm_tools.error',
      code: 'not_found',
      message: expect.stringContaining('because not_found'),
      hint: expect.stringContaining('sessions list'),
      exit_code: 5,
    })
  })
})

describe('what is shown', () => {
  const history = Array.from({ length: 15 }, (_, index) => said(index + 1))

  test.each<[string[], number[]]>([
    [[], [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]],
    [['--since', 'now'], [16]],
    [
      ['--since', '13'],
      [14, 15, 16],
    ],
    [
      ['--last', '1', '--type', 'nothing', '--type', 'agent.*'],
      [15, 16],
    ],
    [['--last', '0', '--tool', 'render'], []],
  ])('%j', async (args, expected) => {
    const { run } = await atScriptedSession({
      streams: [eventStream([frameOf(said(16)), frameOf(idle(17))], { finish: 'hold' })],
      history,
    })
    const end = await run(['watch', ...args, '--type', 'agent.*', '--until', 'idle', '--json'])
    expect(end.code).toBe(0)
    expect(sequencesOf(end.stdout)).toEqual(expected)
  })

  it('for people is free of what would drive their terminal', async () => {
    const evil = 'a\u001b]0;title\u0007b\u001b[2Jc\u009b31md\u202ee\u2066f\rg'
    const payload = { [evil]: evil, content: [{ type: 'text', text: evil }], message: evil }
    const { run } = await atScriptedSession({
      streams: [
        eventStream([`event: ${evil.replace('\r', '')}\ndata: no ${evil.replace('\r', '')}\n\n`], { finish: 'hold' }),
      ],
      history: [
        said(1, evil),
        event(2, `x.${evil}`, payload),
        event(3, 'agent.custom_tool_use', { tool_use_id: evil, name: evil, input: { [evil]: evil } }),
        event(4, 'user.custom_tool_result', { ...result(evil, 'failed', evil) }),
        idle(5, { type: 'error', message: evil }),
        idle(6, { type: 'requires_action', event_ids: [evil] }),
        event(7, 'session.error', payload),
      ],
    })
    const end = await run(['watch', '--timeout', '2s'], { env: { FORCE_COLOR: undefined } })
    expect(end.code).toBe(0)
    expect(linesOf(end.stdout)).toHaveLength(8)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
    expect(end.stdout + end.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]/)
    expect(end.stdout).toContain('agent  a]0;titlebcdef g')
  })

  it('has colours only when they are asked for', async () => {
    const { run } = await atScriptedSession({ history: [said(1), idle(2)] })
    const args = ['watch', '--until', 'idle']
    const plain = await run(args)
    expect(plain.stdout).toMatch(/^\d\d:\d\d:\d\d {4}#1 {2}agent {2}hello\n/)
    const colourful = await run(args, { env: { FORCE_COLOR: '1' } })
    expect(colourful.stdout).toContain('\u001b[36magent\u001b[39m')
    for (const [flags, env] of [
      [['--no-color'], { FORCE_COLOR: '1' }],
      [[], { FORCE_COLOR: '1', NO_COLOR: '1' }],
    ] as const) {
      expect((await run([...args, ...flags], { env })).stdout).toBe(plain.stdout)
    }
  })

  it('is the same in pieces on a terminal’s behalf: notes go to stderr, and are left out with --quiet', async () => {
    const script = { streams: [eventStream([]), quietStream], history: [said(1)] }
    const noted = (await atScriptedSession(script)).start(['watch'])
    await noted.says(/connected again after/, 'stderr')
    expect(noted.stderr()).toMatch(/connection lost, trying again in \d\.\d s: the service closed the stream/)
    expect(noted.stderr()).toContain('nothing was missed')
    expect(noted.stdout()).not.toContain('connect')

    const quiet = (await atScriptedSession(script)).start(['watch', '--quiet', '--json'])
    await quiet.says(/reconnected/)
    expect(quiet.stderr()).toBe('')
  })

  it('with --debug names requests, and no key', async () => {
    const { run } = await atScriptedSession({ history: [said(1), idle(2)] })
    const end = await run(['watch', '--debug', '--until', 'idle'])
    expect(end.stderr).toContain('GET /v1/sessions/session_1/events/stream: 200')
    expect(end.stderr).not.toContain(API_KEY)
  })
})

it('follows a session of the emulator from its first message to its end', async () => {
  const { url, control, clock } = await startEmulator()
  const { start: tool } = atSession({ url, sessionId: 'ses_demo' })
  const run = tool(['watch', '--json', '--until', 'call'])
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (control.streamCount() === 0) return
      clearInterval(timer)
      resolve()
    }, 5)
  })
  await fetch(`${url}/v1/sessions/ses_demo/events`, {
    method: 'POST',
    body: JSON.stringify({ events: [{ type: 'user.message', content: [{ type: 'text', text: 'a film' }] }] }),
  })
  await clock.advance(5000)
  const end = await run.ended
  expect(end.code).toBe(0)
  const history = control.events('ses_demo').map(({ raw }) => raw)
  expect(linesOf(end.stdout)).toEqual(history.slice(0, linesOf(end.stdout).length))
  expect(typesOf(end.stdout)).toContain('agent.custom_tool_use')
})

describe('wrong usage is 2, with a hint', () => {
  test.each([
    [['--since', 'yesterday'], 'Write start, now, a sequence number, or a duration'],
    [['--since', '-1'], ''],
    [['--last', 'ten'], 'whole number'],
    [['--last', '3', '--since', 'now'], 'cannot be used with'],
    [['--until', 'done'], 'Write idle, type=GLOB, call, call=TOOL or result=TOOL_USE_ID'],
    [['--until', 'result='], 'Write idle'],
    [['--until', 'idle=1'], 'Write idle'],
    [['--timeout', 'soon'], 'Write a duration'],
    [['--timeout', '400d'], 'up to 365d'],
    [['--nonsense'], 'unknown option'],
  ])('%j', async (args, words) => {
    const { run, server } = await atScriptedSession()
    const end = await run(['watch', ...args])
    expect(end).toMatchObject({ code: 2, stdout: '' })
    expect(end.stderr).toContain(words)
    expect(end.stderr).toMatch(/^error: .*\nhint: .+\n$/)
    expect(server.requests).toHaveLength(0)
  })

  it('an empty session, or none', async () => {
    const { run, server } = await atScriptedSession()
    expect(await run(['watch', ''])).toMatchObject({ code: 2 })
    expect(await run(['watch'], { env: { HERM_SESSION: '' } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no session was named'),
    })
    expect(server.requests).toHaveLength(0)
  })
})
