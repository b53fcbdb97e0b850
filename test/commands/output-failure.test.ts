import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { deliveryStage, errorOf, SESSION } from '../helpers/delivery-stage.ts'
import { runTool, startTool } from '../helpers/run-tool.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/** A device of Linux that is always full. */
const FULL = '/dev/full'

test.runIf(existsSync(FULL))('output that cannot be written is told, with exit code 1', () => {
  const full = openSync(FULL, 'w')
  const end = spawnSync(process.execPath, [inject('program'), 'help', 'exit-codes'], {
    stdio: ['ignore', full, 'pipe'],
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  })
  closeSync(full)
  expect(end.status).toBe(1)
  expect(end.stderr).toMatch(/standard output cannot be written: .*; what the command did may be done/)
})

test('output to a file that has room for a part of it is told, too', async () => {
  const { env, emulator } = await deliveryStage()
  await fetch(`${emulator.url}/v1/sessions/${SESSION}/events`, {
    method: 'POST',
    body: JSON.stringify({
      events: [{ type: 'user.interrupt', content: [{ type: 'text', text: 'x'.repeat(20_000) }] }],
    }),
  })
  const path = join(temporaryFolder(), 'events')
  const command = 'ulimit -f 8; exec "$0" "$@" > "$OUTPUT"'
  const end = spawn('sh', ['-c', command, process.execPath, inject('program'), 'events', SESSION, '--json'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...env, PATH: process.env.PATH, OUTPUT: path },
  })
  const stderr = text(end.stderr)
  expect((await once(end, 'exit'))[0]).toBe(1)
  expect(await stderr).toMatch(/standard output cannot be written: .*; what the command did may be done/)
  expect(statSync(path).size).toBeGreaterThan(0)
})

test.runIf(existsSync(FULL)).each(['--version', '--help', 'watch --help'])(
  'words that cannot be written are told: %s',
  (words) => {
    const full = openSync(FULL, 'w')
    const end = spawnSync(process.execPath, [inject('program'), ...words.split(' ')], {
      stdio: ['ignore', full, 'ignore'],
      env: { PATH: process.env.PATH },
    })
    closeSync(full)
    expect(end.status).toBe(1)
  },
)

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a reader that is stuck holds up no end by %s', async (signal, code) => {
  const { start } = await deliveryStage({
    scenario: `
agents:
  talker:
    - when: message
      do: [${`{ say: ${'x'.repeat(10_000)} }, `.repeat(100)}]
sessions:
  - { id: ${SESSION}, agent: talker, message: go }
`,
  })
  const run = start(['events', SESSION, '--json'])
  await run.says(/xxx/)
  run.child.stdout?.pause()
  // All is printed by then, and waits for its reader.
  await new Promise((resolve) => setTimeout(resolve, 500))
  run.child.kill(signal)
  const [exitCode, endedBy] = await once(run.child, 'exit')
  run.child.stdout?.resume()
  // An end by the signal itself is the same to a shell.
  expect(endedBy ?? exitCode).toBe(endedBy === null ? code : signal)
  expect(errorOf(await run.ended).exit_code).toBe(code)
})

test('an option that a command does not have is told with the help that lists those it has', async () => {
  const end = await runTool(['pending', '--lost', '3'])
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toContain("unknown option '--lost'")
  expect(end.stderr).toMatch(/Did you mean|See herm-tools pending --help/)
  expect((await runTool(['config', 'get'])).stderr).toContain('See herm-tools config get --help')
})

test('two sessions are one too many', async () => {
  const end = await startTool(['wait', 'ses_1', '--session', 'ses_2']).ended
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toContain('two sessions are named: ses_1 and ses_2')
})

test('every start of the emulator has tool-use ids of its own, unless a seed asks for the same', async () => {
  const idOf = async (...args: string[]) => {
    const emulator = startTool(['emulator', '--port', '0', ...args])
    await emulator.says(/\n/)
    const env = { HERM_BASE_URL: emulator.stdout().trim(), HERM_SESSION: 'ses_demo' }
    await runTool(['message', '--text', 'go'], { env })
    const [call] = (await runTool(['pending', '--json'], { env })).records()
    return call?.tool_use_id
  }
  const [first, second, seeded] = await Promise.all([idOf(), idOf(), idOf('--seed', '7')])
  expect(first).toMatch(/^custom_toolu_[0-9a-z]{4}_000001$/)
  expect(second).not.toBe(first)
  expect(seeded).toBe('custom_toolu_000001')
})
