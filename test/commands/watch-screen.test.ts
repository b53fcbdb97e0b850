import { describe, expect, it, test } from 'vitest'
import type { RawEvent } from '../../src/protocol/envelope.ts'
import { API_KEY } from '../helpers/at-session.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { startOnScreen, timeless } from '../helpers/screen.ts'
import { liveStream } from '../helpers/scripted-server.ts'
import { frameOf, quietStream, scriptedSession } from '../helpers/scripted-session.ts'
import { idle, said } from '../helpers/session-events.ts'
import { toolHome } from '../helpers/tool-home.ts'
import { event, result } from '../protocol/session-log.ts'

const scenario = `
agents:
  film-maker:
    - when: message
      matches: publish
      do:
        - call: { tool: publish, input: { note: '{{text}}' }, policy: always_ask }
        - if: completed
          say: 'Published: {{answer}}'
    - when: message
      matches: many
      do:
        - calls:
            - { tool: cut, input: { scene: 1 } }
            - { tool: cut, input: { scene: 2 } }
            - { tool: cut, input: { scene: 3 } }
            - { tool: cut, input: { scene: 4 } }
    - when: message
      do:
        - say: 'I will cut the film and mix the sound. I tell you when both are there.'
          deltas: true
        - calls:
            - { tool: cut_film, input: { scenes: 3, title: '{{text}}' } }
            - { tool: mix_sound, input: { mood: calm, tracks: [sea, wind] } }
        - say: Both are in the works.
    - when: result
      do:
        - say: '{{tool}}: {{text}}'
sessions:
  - { id: ses_film, agent: film-maker }
  - { id: ses_other, agent: film-maker }
`

/** An emulator, and someone who writes to it and answers its calls; its time stands still. */
async function film() {
  const emulator = await startEmulator({ scenario, seed: 7 })
  const home = toolHome()
  const send = async (payload: object, session = 'ses_film') => {
    const body = JSON.stringify({ events: [payload] })
    const answer = await fetch(`${emulator.url}/v1/sessions/${session}/events`, { method: 'POST', body })
    expect(answer.status, await answer.text()).toBe(202)
  }
  const content = (text: string) => [{ type: 'text', text }]
  return {
    ...emulator,
    watch: (args: readonly string[], options: { columns: number; rows?: number; env?: Record<string, string> }) =>
      startOnScreen(['watch', ...args], {
        ...options,
        env: { ...home.env, HERM_BASE_URL: emulator.url, ...options.env },
      }),
    message: (text: string, session?: string) => send({ type: 'user.message', content: content(text) }, session),
    answer: (number: number, status: string, text: string) =>
      send({
        type: 'user.custom_tool_result',
        tool_use_id: `custom_toolu_00000${number}`,
        content: content(text),
        status,
        is_error: status === 'failed',
      }),
    interrupt: (text: string) => send({ type: 'user.interrupt', message: text }),
    confirm: (number: number, result: string) =>
      send({ type: 'user.tool_confirmation', tool_use_id: `custom_toolu_00000${number}`, result }),
  }
}

const golden = (name: string) => `screens/${name}.txt`

describe.each([40, 80, 140])('at %i columns', (columns) => {
  it('shows the calls of a turn from the question to the end', async () => {
    const { watch, message, answer, clock } = await film()
    const screen = watch(['ses_film'], { columns, rows: 40 })
    await screen.shows(/nothing yet/)
    await message('A film about the sea')
    await screen.shows(/mix_sound[\s\S]*left[\s\S]*· ses_film/)
    await expect(timeless(screen.text())).toMatchFileSnapshot(golden(`waiting-${columns}`))

    await answer(1, 'running', 'Cutting scene 1 of 3.')
    await answer(2, 'running', 'Mixing.')
    await screen.shows(/in the works[\s\S]*idle/)
    await clock.advance(65_000)
    await answer(1, 'completed', 'film.mp4, three scenes of fourteen seconds each, in colour')
    await screen.shows(/cut_film: film.mp4[\s\S]*idle/)
    await expect(timeless(screen.text())).toMatchFileSnapshot(golden(`running-${columns}`))

    await answer(2, 'failed', 'The studio is closed.')
    await screen.shows(/mix_sound: The[\s\S]*idle/)
    screen.type('\x03')
    expect(await screen.ended).toBe(130)
    await expect(timeless(screen.text())).toMatchFileSnapshot(golden(`ended-${columns}`))
    expect(screen.hasCursor()).toBe(true)
  })

  it('shows approvals, wide characters, long inputs, and whose each line is', async () => {
    const { watch, message, confirm } = await film()
    const screen = watch(['ses_film', 'ses_other'], { columns, rows: 40 })
    await screen.shows(/2 nothing yet/)
    await message(`publish ${'映画をください 🎬 '.repeat(12)}${'x'.repeat(19_800)}`, 'ses_other')
    await message('publish 映画 and 👩‍🚀, quietly')
    await screen.shows(/ses_film {2}publish[\s\S]*deny/)
    await confirm(2, 'allow')
    await screen.shows(/waits for an answer/)
    screen.type('\x03')
    expect(await screen.ended).toBe(130)
    const shown = screen.text().replace(/(x{5})[x\s]*x/g, '$1')
    await expect(timeless(shown)).toMatchFileSnapshot(golden(`several-${columns}`))
  })
})

describe.each([30, 40, 43, 60])('at %i columns, with ids that are longer than there is room for', (columns) => {
  it('takes no line away that is done, or that stood there before', async () => {
    const live = liveStream()
    const server = await scriptedSession({ streams: [live.behaviour] })
    const env = { ...toolHome().env, HERM_BASE_URL: server.url, PRISM_API_KEY: API_KEY }
    const before = ['a line of the shell', 'and another one']
    const screen = startOnScreen(['watch', server.sessionId], { env, columns, rows: 30, before })
    await live.opened
    await screen.shows(/nothing yet/)
    const id = (number: number) => `custom_toolu_${'0123456789'.repeat(3).slice(0, 26)}${number}`
    const send = (...events: RawEvent[]) => live.send(events.map(frameOf).join(''))
    send(...[1, 2, 3].map((at) => event(at, 'agent.custom_tool_use', { tool_use_id: id(at), name: `tool_${at}` })))
    await screen.shows(/tool_1/)
    for (const at of [1, 2, 3]) {
      send(event(3 + at, 'user.custom_tool_result', result(id(at), 'completed', `result_${at}`)))
      await screen.shows(new RegExp(`result_${at}`))
    }
    send(idle(7))
    await screen.shows(/· idle/)
    await expect(timeless(screen.text())).toMatchFileSnapshot(golden(`long-ids-${columns}`))
    for (const line of [...before, 'result_1', 'result_2', 'result_3']) expect(screen.text()).toContain(line)
  })
})

it('makes way for the shell at Ctrl-Z, and comes back below what stands there then', async () => {
  const { url } = await film()
  const env = { ...toolHome().env, HERM_BASE_URL: url }
  const screen = startOnScreen(['watch', 'ses_film'], { env, columns: 60, before: ['before'], inShell: true })
  await screen.shows(/nothing yet/)
  screen.type('\x1a')
  await screen.shows(/Stopped/)
  expect(screen.text()).not.toContain('nothing yet')
  expect(screen.hasCursor()).toBe(true)
  screen.type('echo in the shell; fg\n')
  await screen.shows(/\nin the shell\n[\s\S]*nothing yet/)
  screen.type('\x03')
  screen.type('echo ended: $?\n')
  await screen.shows(/ended: 130/)
  expect(screen.text()).toContain('before\n')
  expect(screen.text()).not.toContain('nothing yet')
  screen.type('exit\n')
  await screen.ended
})

it('shows an interrupt, and what it left without an answer', async () => {
  const { watch, message, interrupt } = await film()
  const screen = watch(['ses_film'], { columns: 60 })
  await screen.shows(/nothing yet/)
  await message('publish it')
  await screen.shows(/waits for approval/)
  await interrupt('Not today.')
  await screen.shows(/· idle/)
  expect(timeless(screen.text())).toContain(`
interrupt  Not today.
! publish  note: publish it
  never called; the turn ended without an approval
`)
})

it('lets a message grow, and puts the whole one in its place', async () => {
  const live = liveStream()
  const server = await scriptedSession({ streams: [live.behaviour] })
  const env = { ...toolHome().env, HERM_BASE_URL: server.url, PRISM_API_KEY: API_KEY }
  const screen = startOnScreen(['watch', server.sessionId, '--until', 'idle'], { env, columns: 60 })
  await live.opened
  const part = (sequence: number, text: string) =>
    event(sequence, 'agent.message', { delta: true, content: [{ type: 'text', text }] })
  live.send(frameOf(part(1, 'Once ')) + frameOf(part(2, 'upon ')))
  await screen.shows(/agent {2}Once upon$/m)
  live.send(frameOf(part(3, 'a time')))
  await screen.shows(/agent {2}Once upon a time$/m)
  live.send(frameOf(said(4, 'Once upon a time.')) + frameOf(idle(5)))
  expect(await screen.ended).toBe(0)
  expect(timeless(screen.text())).toBe(`
── 00:00:00 ───────────────────────────
agent  Once upon a time.`)
})

it('says in one line that it was cut off', async () => {
  const live = liveStream()
  const server = await scriptedSession({ streams: [live.behaviour, quietStream], history: [said(1), idle(2)] })
  const env = { ...toolHome().env, HERM_BASE_URL: server.url, PRISM_API_KEY: API_KEY }
  const screen = startOnScreen(['watch', server.sessionId], { env, columns: 60 })
  await screen.shows(/idle/)
  live.end()
  await screen.shows(/connection lost, trying again: the service closed/)
  await screen.shows(/· idle ·/)
  expect(timeless(screen.text())).toBe(`
── 00:00:00 ───────────────────────────
agent  hello

· session_1 · idle · Ctrl-C to leave`)
})

it('bears another size at any time, and more calls than rows', async () => {
  const { watch, message } = await film()
  const screen = watch(['ses_film', '--since', 'now'], { columns: 80, rows: 16 })
  await screen.shows(/nothing yet/)
  await message('many')
  await screen.shows(/… and 3 more/)
  await screen.resize(40, 16)
  await screen.shows(/--session ses_film \\\n/)
  await screen.hides(/ses_film --tool/)
  await screen.resize(100, 40)
  await screen.hides(/and \d more/)
  screen.type('\x03')
  await screen.ended
  await expect(timeless(screen.text())).toMatchFileSnapshot(golden('resized'))
})

test.each<[string, string[], Record<string, string>]>([
  ['--no-color', ['--no-color'], {}],
  ['NO_COLOR', [], { NO_COLOR: '1' }],
])('has no colour with %s', async (_name, args, env) => {
  const { watch, message } = await film()
  await message('A film')
  const screen = watch(['ses_film', ...args], { columns: 80, env })
  await screen.shows(/mix_sound[\s\S]*left/)
  expect(screen.hasStyle()).toBe(false)
  screen.type('\x03')
  await screen.ended
})

test.each<[string, Record<string, string>]>([
  ['on a dumb terminal', { TERM: 'dumb' }],
  ['under CI', { CI: 'true' }],
])('prints one plain line for each event %s', async (_name, env) => {
  const { watch, message } = await film()
  await message('A film')
  const screen = watch(['ses_film', '--since', 'start', '--until', 'call'], { columns: 140, env })
  expect(await screen.ended).toBe(0)
  expect(timeless(screen.text())).toBe(`00:00:00    #1  user  A film
00:00:00    #2  session: a turn is running
00:00:00   #19  agent  I will cut the film and mix the sound. I tell you when both are there.
00:00:00   #20  call  cut_film custom_toolu_000001 {"scenes":3,"title":"A film"}
00:00:00   #21  call  mix_sound custom_toolu_000002 {"mood":"calm","tracks":["sea","wind"]}
00:00:00   #22  session: the turn waits for custom_toolu_000001, custom_toolu_000002`)
})

it('shows calls that were open before what it begins with', async () => {
  const { watch, message, answer } = await film()
  await message('A film')
  await answer(1, 'running', 'Cutting.')
  const screen = watch(['ses_film', '--last', '0', '--until', 'call'], { columns: 80 })
  expect(await screen.ended).toBe(0)
  await expect(timeless(screen.text())).toMatchFileSnapshot(golden('open-before'))
})
