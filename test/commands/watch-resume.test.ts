import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import type { RawEvent } from '../../src/protocol/envelope.ts'
import { atScriptedSession } from '../helpers/at-session.ts'
import { sequencesOf, typesOf } from '../helpers/printed.ts'
import { liveStream, neverAnswers } from '../helpers/scripted-server.ts'
import { frameOf, quietStream } from '../helpers/scripted-session.ts'
import { call, final, idle, kickoff, said } from '../helpers/session-events.ts'
import { event, timeAt } from '../protocol/session-log.ts'

/** More than leaves the program at once, and than a pipe holds. */
const MANY = 3_000

/** As many events, of the history of a session that is called so. */
function manyOf(name: 'old' | 'new', count: number): RawEvent[] {
  const createdAt = timeAt({ old: 0, new: 100 }[name])
  return Array.from({ length: count }, (_, at) =>
    event(at + 1, `agent.message_${at + 1}`, {}, { id: `${name}_${at + 1}`, createdAt }),
  )
}

/** A watch that ends when all of the history is given. */
function untilLast(history: readonly RawEvent[]): string[] {
  const type = history.at(-1)?.envelope.type ?? ''
  return ['watch', '--json', '--resume', '--since', 'start', '--until', `type=${type}`]
}

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

  it.runIf(existsSync('/dev/full'))('begins again with what could not be written', async () => {
    const history = [said(1), said(2)]
    const { run, home, env } = await atScriptedSession({ history })
    const args = ['watch', '--json', '--resume', '--since', 'start', '--until', 'type=agent.*']
    const full = openSync('/dev/full', 'w')
    const failed = spawn(process.execPath, [inject('program'), ...args], {
      stdio: ['ignore', full, 'ignore'],
      env: { ...env, PATH: process.env.PATH },
    })
    expect((await once(failed, 'exit'))[0]).toBe(1)
    closeSync(full)
    expect(existsSync(join(home.stateDir, 'places'))).toBe(false)
    expect(sequencesOf((await run(args)).stdout)).toEqual([1])
  })

  it.each([
    ['SIGINT', 'what was missed', manyOf('old', 1), manyOf('old', MANY)],
    ['SIGTERM', 'what was missed', manyOf('old', 1), manyOf('old', MANY)],
    ['SIGTERM', 'what is given first', [], manyOf('old', MANY)],
    ['SIGTERM', 'a history that begins anew', manyOf('old', 1_000), manyOf('new', MANY)],
  ] as const)(
    'prints nothing twice, and leaves nothing out, after %s in the middle of %s',
    async (signal, _what, before, now) => {
      let history: readonly RawEvent[] = before
      const { run, start } = await atScriptedSession({ history: () => history })
      if (before.length > 0) expect((await run(untilLast(before))).records()).toHaveLength(before.length)
      history = now
      const stopped = start(untilLast(now))
      await stopped.says(/_2"/)
      stopped.child.stdout?.pause()
      stopped.child.kill(signal)
      await new Promise((resolve) => setTimeout(resolve, 300))
      stopped.child.stdout?.resume()
      const first = sequencesOf((await stopped.ended).stdout.replace(/[^\n]*$/, ''))
      const then = sequencesOf((await run(untilLast(now))).stdout)
      const from = now[0]?.envelope.id === before[0]?.envelope.id ? before.length : 0
      expect(first.at(-1)).toBeLessThan(MANY)
      expect([...first, ...then]).toEqual(Array.from({ length: MANY - from }, (_, index) => from + index + 1))
    },
  )

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'gives a history that begins anew when %s came before any of it was given',
    async (signal) => {
      let history: readonly RawEvent[] = manyOf('old', 3)
      let readings = Number.NEGATIVE_INFINITY
      const { run, start } = await atScriptedSession({ history: () => (++readings === 2 ? neverAnswers : history) })
      expect((await run(untilLast(history))).records()).toHaveLength(3)
      history = manyOf('new', 2)
      readings = 0
      const stopped = start(untilLast(history))
      await stopped.says(/begins anew/, 'stderr')
      await new Promise((resolve) => setTimeout(resolve, 200))
      stopped.child.kill(signal)
      expect((await stopped.ended).stdout).toBe('')
      expect(sequencesOf((await run(untilLast(history))).stdout)).toEqual([1, 2])
    },
  )

  it('notices that the history is another one than before, and gives all of it', async () => {
    let history: readonly RawEvent[] = manyOf('old', 3)
    const { run } = await atScriptedSession({ history: () => history })
    expect(sequencesOf((await run(untilLast(history))).stdout)).toEqual([1, 2, 3])
    history = manyOf('new', 2)
    const end = await run(untilLast(history))
    expect(sequencesOf(end.stdout)).toEqual([1, 2])
    expect(end.stderr).toContain('warning: session session_1: the history begins anew; all of it follows')
    history = [...history, said(3)]
    expect(sequencesOf((await run(untilLast(history))).stdout)).toEqual([3])
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
