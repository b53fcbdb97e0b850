import { expect, it } from 'vitest'
import { watchStates } from '../../src/session/watch-states.ts'
import { testClient } from '../client/test-http.ts'
import { liveStream } from '../helpers/scripted-server.ts'
import { frameOf, type SessionScript, scriptedSession } from '../helpers/scripted-session.ts'
import { testClock } from '../helpers/test-clock.ts'
import { event } from '../protocol/session-log.ts'
import { eventually } from './following.ts'

const running = (sequence: number) => event(sequence, 'session.status_running')
const idle = (sequence: number) => event(sequence, 'session.status_idle', { stop_reason: { type: 'end_turn' } })

async function start(script: SessionScript) {
  const server = await scriptedSession(script)
  const clock = testClock()
  const client = testClient(server.url, { clock })
  const states = watchStates({ client, sessionId: server.sessionId, clock, random: () => 1 })
  return { server, clock, states }
}

it('gives a state when asked for one, and counts the turns that ended', async () => {
  const live = liveStream()
  const { states } = await start({ streams: [live.behaviour], history: [idle(1)] })
  expect((await states.next()).turn.state).toBe('idle')
  expect(states.turnsEnded()).toBe(0)
  live.send([running(2), idle(3), running(4)].map(frameOf).join(''))
  const seen = [await states.next(), await states.next(), await states.next()]
  expect(seen.map(({ turn }) => turn.state)).toEqual(['running', 'idle', 'running'])
  expect(states.turnsEnded()).toBe(1)
  await states.close()
})

it('gives no state that is older than one given before', async () => {
  const live = liveStream()
  let isListed = false
  const { states } = await start({
    streams: [live.behaviour],
    history: () => (isListed ? [running(1), idle(2), running(3)] : [running(1)]),
  })
  await states.next()
  isListed = true
  expect(await states.refresh()).toMatchObject({ lastSequence: 3, turn: { state: 'running' } })
  live.send([idle(2), running(3), idle(4)].map(frameOf).join(''))
  expect(await states.next()).toMatchObject({ lastSequence: 3 })
  expect(await states.next()).toMatchObject({ lastSequence: 4, turn: { state: 'idle' } })
  await states.close()
})

it('closes at once, also while a state is awaited', async () => {
  const { states, server, clock } = await start({ history: [running(1)] })
  await states.next()
  const next = states.next().catch((error: unknown) => error)
  await eventually(() => server.underWay() === 1)
  await states.close()
  expect(await next).toBeInstanceOf(Error)
  await eventually(() => server.underWay() === 0 && clock.sleepers() === 0)
})
