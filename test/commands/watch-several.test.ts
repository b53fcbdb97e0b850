import { describe, expect, it, test } from 'vitest'
import { atSession } from '../helpers/at-session.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { sequencesOf } from '../helpers/printed.ts'
import {
  cutAfterReading,
  eventStream,
  json,
  liveStream,
  neverAnswers,
  scriptedServer,
} from '../helpers/scripted-server.ts'
import { frameOf, page } from '../helpers/scripted-session.ts'
import { idle, said } from '../helpers/session-events.ts'

const SCENARIO = `
agents:
  talker:
    - when: message
      do:
        - say: One.
        - say: Two.
  other:
    - when: message
      do:
        - say: Elsewhere.
sessions:
  - { id: ses_a, agent: talker }
  - { id: ses_b, agent: talker }
  - { id: ses_c, agent: other }
`

/** Two sessions of an agent and one of another, each after `start`. */
async function atThree() {
  const emulator = await startEmulator({ scenario: SCENARIO })
  const place = atSession({ url: emulator.url, sessionId: 'ses_a' })
  const said = (session: string) => place.run(['message', session, '--text', 'Go.'])
  const created = async (agent: string) =>
    (await place.run(['sessions', 'create', '--agent', agent, '--json'])).records()[0]?.id as string
  return { ...place, said, created }
}

const ofSession = (stdout: string, id: string) =>
  stdout
    .split('\n')
    .filter((line) => line.includes(`"sessionId":"${id}"`))
    .join('\n')

describe('several sessions', () => {
  it('are shown side by side, each whole and in its order', async () => {
    const { start, said } = await atThree()
    const watch = start(['watch', 'ses_a', 'ses_b', 'ses_c', '--json'])
    for (const session of ['ses_a', 'ses_b', 'ses_c']) await said(session)
    for (const id of ['ses_a', 'ses_b', 'ses_c']) await watch.says(new RegExp(`"sessionId":"${id}"[^\\n]*end_turn`))
    watch.child.kill('SIGINT')
    const { stdout } = await watch.ended
    for (const id of ['ses_a', 'ses_b', 'ses_c']) {
      const sequences = sequencesOf(ofSession(stdout, id))
      expect(sequences.length).toBeGreaterThan(2)
      expect(sequences).toEqual(sequences.map((_, index) => index + 1))
    }
  })

  it('begin with what happened before, in the order of time, but for one that takes long to tell', async () => {
    const pasts: Record<string, readonly number[]> = { ses_a: [1, 4, 5], ses_b: [2, 3, 6], ses_slow: [] }
    const server = await scriptedServer(({ url }) => {
      const id = url.split(/[/?]/)[3] ?? ''
      if (url.includes('/stream')) return eventStream([], { finish: 'hold' })
      return id === 'ses_slow' ? neverAnswers : page((pasts[id] ?? []).map((at) => said(at, `${id} ${at}`)))
    })
    const { start } = atSession({ url: server.url, sessionId: 'ses_a' })
    const watch = start(['watch', 'ses_a', 'ses_b', 'ses_slow'])
    await watch.says(/ses_b 6/)
    const lines = watch.stdout().trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/\d\d:\d\d:\d\d/, 'TIME'))).toEqual([
      'ses_a     TIME    #1  agent  ses_a 1',
      'ses_b     TIME    #2  agent  ses_b 2',
      'ses_b     TIME    #3  agent  ses_b 3',
      'ses_a     TIME    #4  agent  ses_a 4',
      'ses_a     TIME    #5  agent  ses_a 5',
      'ses_b     TIME    #6  agent  ses_b 6',
    ])
  })

  it('end at the first that has what --until names, idle apart', async () => {
    const { run, said } = await atThree()
    await said('ses_c')
    const { code, stdout } = await run(['watch', 'ses_a', 'ses_c', '--json', '--until', 'type=agent.*'])
    expect(code).toBe(0)
    expect(stdout).toContain('Elsewhere.')
  })

  it('end with the code of one that does not exist', async () => {
    const { run } = await atThree()
    const { code, stderr } = await run(['watch', 'ses_a', 'ses_typo'])
    expect(code).toBe(5)
    expect(stderr).toContain('ses_typo')
  })

  it('are resumed each at its own place', async () => {
    const { run, said } = await atThree()
    const args = ['watch', 'ses_a', 'ses_b', '--resume', '--json', '--since', 'start', '--until', 'idle']
    await said('ses_a')
    await said('ses_b')
    const first = await run(args)
    expect(ofSession(first.stdout, 'ses_a')).not.toBe('')
    expect(ofSession(first.stdout, 'ses_b')).not.toBe('')
    await said('ses_b')
    await run(['wait', 'ses_b'])
    const second = await run(args)
    expect(ofSession(second.stdout, 'ses_a')).toBe('')
    expect(ofSession(second.stdout, 'ses_b')).toContain('Two.')
  })

  it('are not named beside an agent', async () => {
    const { run } = await atThree()
    expect(await run(['watch', 'ses_a', '--agent', 'talker'])).toMatchObject({ code: 2 })
  })

  it('named twice are watched once', async () => {
    const { run, said } = await atThree()
    await said('ses_a')
    const { stdout } = await run([
      ...['watch', 'ses_a', 'ses_a', '--session', 'ses_a'],
      ...['--json', '--since', 'start', '--until', 'idle'],
    ])
    const sequences = sequencesOf(stdout)
    expect(new Set(sequences).size).toBe(sequences.length)
  })
})

describe('--agent', () => {
  it('shows all sessions of the agent, and none of another', async () => {
    const { run, said } = await atThree()
    for (const session of ['ses_a', 'ses_b', 'ses_c']) await said(session)
    const { code, stdout } = await run(['watch', '--agent', 'talker', '--json', '--until', 'idle', '--since', 'start'])
    expect(code).toBe(0)
    for (const id of ['ses_a', 'ses_b']) expect(ofSession(stdout, id)).toContain('Two.')
    expect(stdout).not.toContain('Elsewhere.')
  })

  it('shows a session that is created meanwhile, from its start', async () => {
    const { start, said, created } = await atThree()
    const watch = start(['watch', '--agent', 'talker', '--json'])
    await watch.says(/watching/, 'stderr')
    const id = await created('talker')
    await said(id)
    await watch.says(new RegExp(`"sessionId":"${id}"[^\\n]*Two`))
    watch.child.kill('SIGINT')
    const { stdout, code } = await watch.ended
    expect(code).toBe(130)
    const sequences = sequencesOf(ofSession(stdout, id))
    expect(sequences).toEqual(sequences.map((_, index) => index + 1))
  })

  it('waits for the first session of an agent that has none', async () => {
    const { run } = await atThree()
    const { code, stderr, stdout } = await run(['watch', '--agent', 'idler', '--timeout', '2s'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain('no session yet')
  })
})

/** A service of many sessions: `gone` ones are refused, the others have one event. */
async function atMany(count: number, { gone = [] as string[], pauseMs = 0 } = {}) {
  const ids = Array.from({ length: count }, (_, index) => `ses_${index}`)
  let reading = 0
  const most = { reading: 0 }
  const server = await scriptedServer(({ url }) => {
    if (url.startsWith('/v1/sessions?')) return json({ data: ids.map((id) => ({ id })), nextCursor: null })
    const id = url.split(/[/?]/)[3] ?? ''
    if (gone.includes(id)) return json({ error: { code: 'not_found', message: 'gone' } }, { status: 404 })
    if (url.includes('/stream')) return eventStream([], { finish: 'hold' })
    const { readsBody, run } = page([said(1)])
    return {
      readsBody,
      async run(exchange) {
        most.reading = Math.max(most.reading, ++reading)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        reading--
        return run(exchange)
      },
    }
  })
  return { ...atSession({ url: server.url, sessionId: 'ses_0' }), ids, most }
}

describe('very many sessions', () => {
  it('have their histories read a few at a time', async () => {
    const { start, most } = await atMany(100, { pauseMs: 20 })
    const watch = start(['watch', '--agent', 'a', '--json', '--last', '1'])
    await watch.says(/(?:\n[^\n]*){100}/)
    expect(most.reading).toBeGreaterThan(1)
    expect(most.reading).toBeLessThanOrEqual(16)
  })

  it('are begun in silence', async () => {
    const { start } = await atMany(20)
    const watch = start(['watch', '--agent', 'a', '--json', '--last', '1'], {
      env: { NODE_OPTIONS: '--trace-warnings' },
    })
    await watch.says(/(?:\n[^\n]*){20}/)
    watch.child.kill('SIGINT')
    const { stderr } = await watch.ended
    expect(stderr).toContain('watching')
    expect(stderr).not.toMatch(/warning/i)
  })

  it('are not waited for when they are gone, once the others are idle', async () => {
    let isGone = false
    const live = liveStream()
    const server = await scriptedServer(({ url }) => {
      if (url.startsWith('/v1/sessions?')) return json({ data: [{ id: 'ses_a' }, { id: 'ses_b' }], nextCursor: null })
      const isB = url.includes('ses_b')
      if (isB && isGone) return json({ error: { code: 'not_found', message: 'gone' } }, { status: 404 })
      if (url.includes('/stream')) return isB ? live.behaviour : eventStream([], { finish: 'hold' })
      return page(isB ? [said(1)] : [said(1), idle(2)])
    })
    const { start } = atSession({ url: server.url, sessionId: 'ses_a' })
    const watch = start(['watch', '--agent', 'a', '--json', '--until', 'idle'])
    await watch.says(/status_idle/)
    isGone = true
    live.cut()
    expect(await watch.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('ses_b is watched no more') })
  })

  it('go on while one is tried again that the service does not give just now', async () => {
    let streams = 0
    const server = await scriptedServer(({ url }) => {
      if (url.startsWith('/v1/sessions?')) return json({ data: [{ id: 'ses_a' }, { id: 'ses_b' }], nextCursor: null })
      if (!url.includes('/stream')) return page([said(1)])
      return url.includes('ses_b') && streams++ < 2 ? cutAfterReading : eventStream([], { finish: 'hold' })
    })
    const { start } = atSession({ url: server.url, sessionId: 'ses_a' })
    const watch = start(['watch', '--agent', 'a', '--json'])
    await watch.says(/session ses_b cannot be watched just now \(.*\); trying again/, 'stderr')
    await watch.says(/(?:\n[^\n]*){2}/)
    expect(streams).toBe(3)
  })

  it('go on without one that is gone', async () => {
    const { start } = await atMany(3, { gone: ['ses_1'] })
    const watch = start(['watch', '--agent', 'a', '--json', '--last', '1'])
    await watch.says(/ses_1 is watched no more: .*gone/, 'stderr')
    await watch.says(/(?:\n[^\n]*){2}/)
  })
})

test('a session with much to say has all of it shown, beside one that is calm', async () => {
  const quick = liveStream()
  const server = await scriptedServer(({ url }) => {
    const isQuick = url.includes('ses_quick')
    if (url.includes('/stream')) return isQuick ? quick.behaviour : eventStream([], { finish: 'hold' })
    return page(isQuick ? [] : [said(1), idle(2)])
  })
  const { start } = atSession({ url: server.url, sessionId: 'ses_quick' })
  const watch = start(['watch', 'ses_quick', 'ses_calm', '--json'])
  await watch.says(/status_idle/)
  quick.send(Array.from({ length: 500 }, (_, index) => frameOf(said(index + 1))).join(''))
  await watch.says(/"sequence":500/)
  expect(sequencesOf(watch.stdout()).slice(2)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1))
})
