import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { approvalStage, DEPLOY, PUBLISH, RENDER, SESSION } from '../helpers/approval-stage.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { startOnScreen } from '../helpers/screen.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { toolHome } from '../helpers/tool-home.ts'

const DOWN = '\x1b[B'

/** The program with standard output in a file: a question does not belong there. */
function inTerminal(args: readonly string[], env: Record<string, string>) {
  const stdout = join(temporaryFolder(), 'stdout')
  const screen = startOnScreen(args, { env, columns: 300, stdout })
  return {
    ...screen,
    ended: screen.ended.then((code) => ({ code, screen: screen.text(), stdout: readFileSync(stdout, 'utf8') })),
  }
}

/** A terminal beside a session with calls of each kind, without a default session unless `more` has one. */
async function atTerminal(more: Record<string, string> = {}) {
  const stage = await approvalStage()
  const env = { ...stage.home.env, HERM_BASE_URL: stage.emulator.url, ...more }
  return { ...stage, terminal: (...args: string[]) => inTerminal(args, env) }
}

describe('a session that nothing names', () => {
  it.each([[['pending']], [['sessions', 'get']], [['events']]])('is asked for by %j', async (args) => {
    const { terminal } = await atTerminal()
    const run = terminal(...args)
    await run.shows(/Which session\?[\s\S]*ses_1/)
    run.type('\r')
    const end = await run.ended
    expect(end.code).toBe(0)
    expect(end.stdout).toContain(args.includes('get') ? SESSION : 'deploy')
    expect(end.stdout).not.toContain('Which')
  })

  it('is asked for once, and the call after it', async () => {
    const { terminal, confirmations } = await atTerminal()
    const run = terminal('deny')
    await run.shows(/Which session\?/)
    run.type('\r')
    await run.shows(/Which call\?[\s\S]*deploy[\s\S]*publish/)
    run.type(`${DOWN}\r`)
    expect(await run.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^denied: /) })
    expect(confirmations()).toMatchObject([{ tool_use_id: PUBLISH, result: 'deny' }])
  })
})

describe('a call that nothing names is chosen from those that take the answer', () => {
  const inSession = { HERM_SESSION: SESSION }

  test('approve: what awaits approval', async () => {
    const { terminal, confirmations } = await atTerminal(inSession)
    const run = terminal('approve')
    await run.shows(/Which call\?[\s\S]*publish/)
    run.type('\r')
    const { code, screen } = await run.ended
    expect(code).toBe(0)
    expect(screen).not.toContain(RENDER)
    expect(confirmations()).toMatchObject([{ tool_use_id: DEPLOY, result: 'allow' }])
  })

  test('running: what waits, be it one call alone', async () => {
    const { terminal } = await atTerminal(inSession)
    const run = terminal('running', '--text', 'begun')
    await run.shows(new RegExp(`Which call\\?[\\s\\S]*render ${RENDER} waiting`))
    run.type('\r')
    const { code, screen, stdout } = await run.ended
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(`${RENDER} is running`) })
    expect(screen).not.toContain(DEPLOY)

    const none = await terminal('running', '--text', 'begun').ended
    expect(none).toMatchObject({ code: 5, stdout: '' })
    expect(none.screen).toContain(`session ${SESSION} has no call that is waiting for its answer`)
  })

  test('complete: what waits or runs', async () => {
    const { terminal, api } = await atTerminal(inSession)
    await terminal('running', '--tool-use-id', RENDER, '--text', 'begun').ended
    await api.send({ type: 'user.interrupt' })
    const run = terminal('complete', '--text', 'done')
    await run.shows(/render \S+ running/)
    run.type('\r')
    expect(await run.ended).toMatchObject({ code: 0, stdout: expect.stringContaining(`${RENDER} is completed`) })
  })
})

describe('the order, and what each row says', () => {
  const scenario = `
agents:
  asker:
    - when: message
      matches: ^three$
      do: [{ calls: [{ tool: slow, input: { film: boat } }, { tool: quick }, { tool: late }] }]
    - when: message
      do: [{ call: { tool: render } }]
sessions:
  - { id: ses_a, agent: asker }
  - { id: ses_asks, agent: asker, message: go }
  - { id: ses_runs, agent: asker, message: go }
  - { id: ses_b, agent: asker, message: three }
`
  async function several() {
    const { url, clock, control } = await startEmulator({ scenario })
    const home = toolHome()
    const env = { ...home.env, HERM_BASE_URL: url }
    return { clock, control, env, run: (args: string[]) => home.run(args, { env }) }
  }
  const rows = (screen: string) => screen.split('\n').flatMap((line) => /[●○] (.*)$/.exec(line)?.[1] ?? [])

  test('sessions that wait for something come first, and every row has its status', async () => {
    const { env, run, control } = await several()
    const [waits] = control.events('ses_runs').filter(({ envelope }) => envelope.type === 'agent.custom_tool_use')
    const id = String(waits?.envelope.payload.tool_use_id)
    await run(['running', '--session', 'ses_runs', '--tool-use-id', id, '--text', 'begun'])
    const screen = startOnScreen(['pending'], { env, columns: 120 })
    await screen.shows(/ses_a /)
    const shown = rows(screen.text())
    expect(shown.slice(0, 2).sort()).toEqual([
      'ses_asks (requires action, just now)',
      'ses_b (requires action, just now)',
    ])
    expect(shown.slice(2)).toEqual(['ses_runs (idle, just now, open calls seen here: 1)', 'ses_a (idle, just now)'])
    screen.type('\x03')
    await screen.ended
  })

  test('calls go by what is urgent, each with state and time; an empty input says nothing', async () => {
    const { env, run, control, clock } = await several()
    const calls = control
      .events('ses_b')
      .flatMap(({ envelope: { type, payload } }) =>
        type === 'agent.custom_tool_use' ? [String(payload.tool_use_id)] : [],
      )
    await clock.advance(61_000)
    await run(['running', '--session', 'ses_b', '--tool-use-id', calls[0] ?? '', '--text', 'begun'])
    const screen = startOnScreen(['complete', '--session', 'ses_b', '--text', 'done'], { env, columns: 120 })
    await screen.shows(/slow/)
    const shown = rows(screen.text())
    expect(shown.map((row) => row.replace(/ custom_\S+/, ''))).toEqual([
      'quick waiting (3:59 left)',
      'late waiting (3:59 left)',
      'slow running (started just now)',
    ])
    screen.type(`${DOWN}${DOWN}`)
    await screen.shows(/slow .*\(film: boat\)/)
    screen.type('\x03')
    await screen.ended
  })

  test('a session that was chosen and has no such call is named', async () => {
    const { terminal } = await atTerminal()
    await terminal('running', '--session', SESSION, '--tool-use-id', RENDER, '--text', 'begun').ended
    const run = terminal('running', '--text', 'begun')
    await run.shows(/Which session\?/)
    run.type('\r')
    const { code, screen } = await run.ended
    expect(code).toBe(5)
    expect(screen).toContain(`herm-tools pending ${SESSION}`)
  })

  test.each([
    ['--no-color', ['--no-color'], {}, false],
    ['NO_COLOR', [], { NO_COLOR: '1' }, false],
    ['neither', [], {}, true],
  ])('colours with %s', async (_name, flags, more, hasStyle) => {
    const { env } = await several()
    const screen = startOnScreen(['pending', ...flags], { env: { ...env, ...more }, columns: 120 })
    await screen.shows(/Which session\?[\s\S]*ses_a /)
    expect(screen.hasStyle()).toBe(hasStyle)
    screen.type('\r')
    expect(await screen.ended).toBe(0)
  })
})

describe('nothing is chosen, and it ends with 130,', () => {
  it.each([
    ['at Ctrl-C', '\x03'],
    ['at Ctrl-D', '\x04'],
    ['at Escape', '\x1b'],
  ])('%s', async (_name, keys) => {
    const { terminal, confirmations } = await atTerminal({ HERM_SESSION: SESSION })
    const run = terminal('approve')
    await run.shows(/Which call\?[\s\S]*publish/)
    run.type(keys)
    const end = await run.ended
    expect(end).toMatchObject({ code: 130, stdout: '' })
    expect(end.screen).toContain('nothing was chosen')
    expect(confirmations()).toEqual([])
  })
})

test('Ctrl-C is a signal again after a choice', async () => {
  const { terminal } = await atTerminal()
  const run = terminal('wait')
  await run.shows(/Which session\?[\s\S]*ses_1/)
  run.type('\r')
  await run.shows(/waiting for idle/)
  run.type('\x03')
  const end = await run.ended
  expect(end.code).toBe(130)
  expect(end.screen).toContain('interrupted')
})

describe('nobody is asked', () => {
  it.each<[string, string[], Record<string, string>]>([
    ['with --json', ['--json'], {}],
    ['under CI', [], { CI: 'true' }],
    ['on a dumb terminal', [], { TERM: 'dumb' }],
  ])('%s: the error names the flag', async (_name, flags, env) => {
    const { terminal } = await atTerminal(env)
    const session = await terminal('pending', ...flags).ended
    expect(session).toMatchObject({ code: 2, screen: expect.stringContaining('--session') })
    const call = await terminal('complete', '--text', 'done', ...flags).ended
    expect(call).toMatchObject({ code: 2, screen: expect.stringContaining("'--tool-use-id <id>' not specified") })
  })

  it('off a terminal, and standard input is left alone', async () => {
    const { run } = await atTerminal()
    for (const args of [['complete', '--file', '-'], ['approve'], ['pending']]) {
      const end = await run(args, { env: { HERM_SESSION: '' }, stdin: 'done' })
      expect(end).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/--(tool-use-id|session)/) })
    }
  })
})

test('a question is still there after Ctrl-Z and fg', async () => {
  const stage = await approvalStage()
  const env = { ...stage.home.env, HERM_BASE_URL: stage.emulator.url }
  const screen = startOnScreen(['sessions', 'get'], { env, columns: 100, inShell: true })
  await screen.shows(/Which session\?[\s\S]*ses_1/)
  screen.type('\x1a')
  await screen.shows(/Stopped/)
  screen.type('fg\n')
  await screen.shows(/\nfg\n|\$ fg\n/)
  await screen.shows(/\$ fg\n/)
  // Nothing on the screen tells when keys are taken again.
  const entering = setInterval(() => screen.type('\r'), 200)
  await screen.shows(/agent +\w+/)
  clearInterval(entering)
  screen.type('echo ended: $?\n')
  await screen.shows(/ended: 0/)
  screen.type('exit\n')
  await screen.ended
})
