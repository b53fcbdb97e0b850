/**
 * The life of one long tool call, played with the built program against the local emulator: `npm run demo`.
 *
 * Every command that it shows is run as it is shown. What it makes lies in a temporary folder; that and every process are
 * gone at the end, also after Ctrl-C and after a step that failed.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'

/** A command takes about a second; on a busy machine some more. */
const COMMAND_LIMIT_MS = 30_000
/** Time for a process to end in good order before it is killed. */
const PATIENCE_MS = 3_000

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'herm-tools-demo-'))
const isColoured = process.stdout.isTTY === true && process.stdout.hasColors()
const env = {
  ...process.env,
  ...(isColoured && { FORCE_COLOR: '1' }),
  HERM_TOOLS_CONFIG_DIR: join(folder, 'config'),
  HERM_TOOLS_STATE_DIR: join(folder, 'state'),
  // An empty variable counts as not set: the user's own key and profile have no part in this.
  PRISM_API_KEY: '',
  HERM_TOOLS_PROFILE: '',
}
const children = new Set()
const stop = new AbortController()
let stepNumber = 0
let stepTitle = 'the build'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort(signal))
process.stdout.on('error', () => stop.abort('SIGPIPE'))

try {
  await buildIfNeeded()
  await play()
} catch (error) {
  const signal = stop.signal.reason
  process.exitCode = signal === undefined ? 1 : 128 + constants.signals[signal]
  console.error(
    signal === undefined ? `\nThe demo failed at ${stepTitle}\n${reasonOf(error)}` : '\nThe demo was stopped.',
  )
} finally {
  await endChildren()
  await rm(folder, { recursive: true, force: true })
}

async function play() {
  step('A local Herm starts. It is told to lose an answer on the way: the third.')
  env.HERM_BASE_URL = await startEmulator()
  env.HERM_SESSION = 'ses_demo'
  showCommand(`export HERM_BASE_URL=${env.HERM_BASE_URL} HERM_SESSION=${env.HERM_SESSION}`)

  step('A user asks for a film. The agent calls its tool and waits for the answer.')
  await hermTools(['message', '--text', 'Boats at sea'])
  await hermTools(['watch', '--until', 'call=render_video'])

  step('The same, for a script. Five minutes to answer; a film takes longer.')
  const [call] = records(await hermTools(['pending', '--json']))
  const id = call.tool_use_id

  step('So the work is started, and the call is answered with a kickoff.')
  showCommand('node docs/demo-render.mjs film.txt > result.txt &')
  const job = outputOf(start(process.execPath, [join(root, 'docs', 'demo-render.mjs'), 'film.txt']))
  job.catch(() => undefined) // Its failure is heard where it is awaited.
  await hermTools(['running', '--tool-use-id', id, '--text', 'Rendering.'])

  step('The turn goes on to its end, while the film is still in the making.')
  await hermTools(['watch', '--last', '3', '--until', 'idle'])

  step('Then the film is ready. Its last frame:')
  const { stdout: result, stderr: lastFrame } = await job
  await writeFile(join(folder, 'result.txt'), result)
  console.log(lastFrame.trimEnd())

  step('The turn is over, so the final goes out. Its answer is lost: history is asked.')
  const complete = ['complete', '--tool-use-id', id, '--file', 'result.txt']
  await hermTools(['wait'])
  assert.match(await hermTools(complete), /accepted/)

  step('It took the place of the kickoff, and began a new turn.')
  await hermTools(['watch', '--last', '3', '--until', 'idle'])

  step('A script may run twice. The journal knows of the final: nothing is sent.')
  assert.match(await hermTools(complete), /already recorded/)

  step('Another machine has another journal. The history says the same.')
  assert.match(await hermTools(complete, { env: { HERM_TOOLS_STATE_DIR: 'empty' } }), /already recorded/)

  step('The end, as history has it: one final, and two turns of the agent.')
  await hermTools(['events'])
  const events = records(await hermTools(['events', '--json'], { isPrinted: false }))
  const finals = events.filter(
    ({ payload }) => payload.type === 'user.custom_tool_result' && payload.status !== 'running',
  )
  const turns = events.filter(({ payload }) => payload.stop_reason?.type === 'end_turn')
  assert.equal(finals.length, 1, 'the finals in history')
  assert.equal(turns.length, 2, 'the turns in history')
  console.log(`${events.length} records: ${finals.length} final, ${turns.length} turns`)
}

/** Says what comes next, and is what a failure is told with. */
function step(title) {
  stepNumber++
  stepTitle = `step ${stepNumber}: ${title}`
  console.log(`\n${stepNumber}. ${title}`)
}

function showCommand(line) {
  console.log(styled('bold', `$ ${line}`))
}

function styled(format, text) {
  return isColoured ? styleText(format, text) : text
}

/** Shows a command, runs it, and resolves with its stdout. */
async function hermTools(args, { env = {}, isPrinted = true } = {}) {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value} `)
  showCommand(`${assignments.join('')}herm-tools ${args.map(quoted).join(' ')}`)
  const { stdout } = await outputOf(startTool(args, env), { isPrinted })
  return stdout
}

function quoted(word) {
  return /^[\w./=-]+$/.test(word) ? word : `'${word}'`
}

function records(lines) {
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Resolves with the URL at which the emulator listens. It runs until the end of the demo. */
async function startEmulator() {
  const args = ['emulator', '--port', '0', '--fault', 'accepted-cut,after=2,count=1']
  showCommand(`herm-tools ${args.join(' ')} &`)
  const emulator = startTool(args)
  const printed = once(createInterface({ input: emulator.stdout }), 'line', { signal: limit() })
  const [url] = await Promise.race([printed, once(emulator, 'close').then(() => assert.fail('the emulator ended'))])
  console.log(url)
  return url
}

function startTool(args, env) {
  return start(process.execPath, [join(root, 'bin', 'herm-tools.js'), ...args], { env })
}

function start(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...env, ...options.env },
  })
  children.add(child)
  child.once('close', () => children.delete(child))
  return child
}

/** Resolves with what a child has printed, once it has ended well. With `isPrinted` it is shown as it comes. */
async function outputOf(child, { isPrinted = false } = {}) {
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr']) {
    createInterface({ input: child[stream] }).on('line', (line) => {
      output[stream] += `${line}\n`
      if (isPrinted && !stop.signal.aborted) console.log(line)
    })
  }
  const [code, signal] = await once(child, 'close', { signal: limit() })
  stop.signal.throwIfAborted()
  if (code !== 0) throw new Error(`The command ended with ${code ?? signal}.\n${isPrinted ? '' : output.stderr}`.trim())
  return output
}

function limit() {
  return AbortSignal.any([stop.signal, AbortSignal.timeout(COMMAND_LIMIT_MS)])
}

/** What cut a wait short says more than that it was cut short. */
function reasonOf(error) {
  return error.cause?.message ?? error.message
}

async function endChildren() {
  await Promise.all(
    [...children].map(async (child) => {
      const closed = once(child, 'close')
      const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      child.kill()
      await closed
      clearTimeout(patience)
    }),
  )
}

async function buildIfNeeded() {
  const built = await changedAt('dist/main.cjs')
  const sources = await Promise.all(['src', 'package.json', '.config/rolldown.config.ts'].map(changedAt))
  if (built > Math.max(...sources)) return
  showCommand('npm run build')
  await outputOf(start('npm', ['run', '--silent', 'build'], { cwd: root, shell: process.platform === 'win32' }))
}

/** When the file, or anything in the folder, was last changed; 0 when it does not exist. */
async function changedAt(path) {
  const found = await stat(join(root, path)).catch(() => undefined)
  if (found === undefined) return 0
  const inside = found.isDirectory() ? await readdir(join(root, path)) : []
  return Math.max(found.mtimeMs, ...(await Promise.all(inside.map((name) => changedAt(join(path, name))))))
}
