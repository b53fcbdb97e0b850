import { describe, expect, it } from 'vitest'
import { atScriptedSession } from '../helpers/at-session.ts'
import { sequencesOf, typesOf } from '../helpers/printed.ts'
import { liveStream } from '../helpers/scripted-server.ts'
import { frameOf, quietStream } from '../helpers/scripted-session.ts'
import { call, final, idle, kickoff, said } from '../helpers/session-events.ts'

describe('--resume', () => {
  it('begins as any watch does, and then goes on where the last one stopped', async () => {
    const history = [said(1), said(2)]
    const { run } = await atScriptedSession({ history: () => history })
    const args = ['watch', '--json', '--resume', '--last', '1', '--until', 'type=agent.*']
    expect(sequencesOf((await run(args)).stdout)).toEqual([2])
    history.push(said(3), said(4))
    expect(sequencesOf((await run(args)).stdout)).toEqual([3])
    expect(sequencesOf((await run(args)).stdout)).toEqual([4])
    const nothing = await run([...args, '--timeout', '1500ms'])
    expect(nothing).toMatchObject({ code: 8, stdout: '' })
  })

  it('tells of a result that was replaced between two watches, once', async () => {
    let isDone = false
    const { run } = await atScriptedSession({ history: () => (isDone ? [final(1), idle(2)] : [kickoff(1), idle(2)]) })
    const args = ['watch', '--json', '--resume', '--timeout', '1500ms']
    expect(typesOf((await run(args)).stdout)).toEqual(['user.custom_tool_result', 'session.status_idle'])
    isDone = true
    expect(typesOf((await run(args)).stdout)).toEqual(['herm_tools.result_updated'])
    expect((await run(args)).stdout).toBe('')
  })

  it('keeps the place of the last event, however fast they come', async () => {
    const live = liveStream()
    const history = [said(1)]
    const { run, start } = await atScriptedSession({ streams: [live.behaviour, quietStream], history: () => history })
    const first = start(['watch', '--json', '--resume', '--until', 'type=session.status_idle'])
    await first.says(/evt_1"/)
    history.push(said(2), said(3), idle(4))
    live.send(history.slice(1).map(frameOf).join(''))
    expect(sequencesOf((await first.ended).stdout)).toEqual([1, 2, 3, 4])
    expect((await run(['watch', '--json', '--resume', '--until', 'idle'])).stdout).toBe('')
  })

  it('knows what is so already', async () => {
    const { run } = await atScriptedSession({ history: [call(1), kickoff(2), idle(3)] })
    expect(sequencesOf((await run(['watch', '--json', '--resume', '--until', 'idle'])).stdout)).toEqual([1, 2, 3])
    expect(await run(['watch', '--json', '--resume', '--until', 'idle'])).toMatchObject({ code: 0, stdout: '' })
  })

  it('loses nothing when it was killed', async () => {
    const live = liveStream()
    let isSent = false
    const later = Array.from({ length: 50 }, (_, index) => said(index + 2))
    const { start: tool, run } = await atScriptedSession({
      streams: [live.behaviour, quietStream],
      history: () => (isSent ? [said(1), ...later, idle(52)] : [said(1)]),
    })
    const killed = tool(['watch', '--json', '--resume'])
    await killed.says(/evt_1"/)
    isSent = true
    live.send(later.map(frameOf).join(''))
    await killed.says(/evt_20"/)
    killed.child.kill('SIGKILL')
    const before = sequencesOf((await killed.ended).stdout.replace(/[^\n]*$/, ''))
    const after = sequencesOf((await run(['watch', '--json', '--resume', '--until', 'idle'])).stdout)
    expect(after.at(-1)).toBe(52)
    expect(after[0]).toBeLessThanOrEqual((before.at(-1) ?? 0) + 1)
    expect(new Set([...before, ...after]).size).toBe(52)
  })
})
