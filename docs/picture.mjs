/**
 * Makes docs/watch.svg, the picture in the README: `npm run picture`.
 *
 * The built program watches a session of the local emulator on a terminal (script(1), of every Linux), and what a person
 * would see there is drawn as it is, with its colours. Only what differs from run to run, which is the time, stands still.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import xterm from '@xterm/headless'

const COLUMNS = 80
const ROWS = 24
/** A command takes about a second; on a busy machine some more. */
const LIMIT_MS = 30_000

/** Of the picture, in pixels. */
const CHAR_WIDTH = 8.4
const LINE_HEIGHT = 20
const MARGIN = 22
const BAR = 36
/** Of a terminal's numbered colours, those that are used. */
const COLOURS = { 1: '#f0717a', 2: '#8fce7e', 3: '#e6c06b', 6: '#69bfd6' }
const TURN_TIMES = ['14:03:12', '14:04:26']

const SCENARIO = `
agents:
  film-maker:
    - when: message
      do:
        - say: I will cut the trailer first, which takes a minute or two. You will hear from me when it is there.
          deltas: true
        - call: { tool: cut_film, input: { title: Boats at sea, scenes: 3 } }
    - when: result
      do:
        - say: The trailer is there. Next come its sound, and the release, if you agree.
        - calls:
            - { tool: mix_sound, input: { mood: calm, tracks: [wind, waves, gulls] } }
            - { tool: publish, input: { file: trailer.mp4, public: true }, policy: always_ask }
sessions:
  - { id: ses_film, agent: film-maker }
`

const root = fileURLToPath(new URL('..', import.meta.url))
const program = join(root, 'bin', 'herm-tools.js')
const folder = await mkdtemp(join(tmpdir(), 'herm-tools-picture-'))
const env = {
  PATH: process.env.PATH,
  TERM: 'xterm-256color',
  SHELL: '/bin/sh',
  HOME: folder,
  HERM_TOOLS_CONFIG_DIR: join(folder, 'config'),
  HERM_TOOLS_STATE_DIR: join(folder, 'state'),
  HERM_SESSION: 'ses_film',
}
const children = new Set()

try {
  env.HERM_BASE_URL = await startEmulator()
  await writeFile(join(root, 'docs', 'watch.svg'), svg(await play()))
} finally {
  for (const child of children) child.kill()
  await Promise.all([...children].map((child) => once(child, 'close')))
  await rm(folder, { recursive: true, force: true })
}

async function startEmulator() {
  await writeFile(join(folder, 'film.yaml'), SCENARIO)
  const emulator = start(process.execPath, [
    program,
    'emulator',
    '--port',
    '0',
    '--scenario',
    'film.yaml',
    '--seed',
    '1',
    '--quiet',
  ])
  const [url] = await once(createInterface({ input: emulator.stdout }), 'line', {
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  return url
}

/** Resolves with the rows of the screen, each as runs of characters that look the same. */
async function play() {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true })
  const command = `stty cols ${COLUMNS} rows ${ROWS}; printf '$ herm-tools watch ses_film\\n'; exec '${process.execPath}' '${program}' watch`
  const watch = start('script', ['-q', '-e', '-f', '-c', command, '/dev/null'])
  let drawn
  watch.stdout.on('data', (chunk) => {
    drawn = new Promise((resolve) => terminal.write(chunk, resolve))
  })
  const shows = async (pattern) => {
    const signal = AbortSignal.timeout(LIMIT_MS)
    while (!pattern.test(textOf(terminal))) {
      await once(watch.stdout, 'data', { signal })
      await drawn
    }
  }
  await shows(/nothing yet/)
  await hermTools('message', '--text', 'Cut the trailer of "Boats at sea", and bring it out.')
  await shows(/waits for an answer/)
  await hermTools('running', '--tool-use-id', 'custom_toolu_000001', '--text', 'Cutting.')
  await shows(/idle/)
  await hermTools('complete', '--tool-use-id', 'custom_toolu_000001', '--text', 'trailer.mp4, three scenes, 42 seconds')
  await shows(/waits for approval/)
  await hermTools('running', '--tool-use-id', 'custom_toolu_000002', '--text', 'Track 2 of 3.')
  await shows(/Track 2[\s\S]*to leave/)
  const rows = rowsOf(terminal)
  watch.stdin.write('\x03')
  await once(watch, 'close')
  return rows
}

async function hermTools(...args) {
  const [code] = await once(start(process.execPath, [program, ...args, '--quiet']), 'close')
  if (code !== 0) throw new Error(`herm-tools ${args.join(' ')} ended with ${code}`)
}

function start(command, args) {
  const child = spawn(command, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] })
  children.add(child)
  child.once('close', () => children.delete(child))
  return child
}

function linesOf({ buffer }) {
  return Array.from({ length: buffer.active.length }, (_, at) => buffer.active.getLine(at))
}

function textOf(terminal) {
  return linesOf(terminal)
    .map((line) => line.translateToString(true))
    .join('\n')
}

/** All of it is of letters that are one column wide. */
function rowsOf(terminal) {
  let turns = 0
  return linesOf(terminal).map((line) => {
    const runs = []
    for (let column = 0; column < line.length; column++) {
      const cell = line.getCell(column)
      const look = [
        cell.isFgDefault() ? '' : `c${cell.getFgColor()}`,
        cell.isBold() ? 'bold' : '',
        cell.isDim() ? 'dim' : '',
      ].filter(Boolean)
      if (runs.at(-1)?.look !== look.join(' ')) runs.push({ look: look.join(' '), text: '' })
      runs.at(-1).text += cell.getChars() || ' '
    }
    let column = 0
    return runs.map(({ look, text }) => {
      const run = { look, text: timeless(text), column }
      column += run.text.length
      return run
    })
  })

  function timeless(text) {
    return text
      .replace(/\d\d:\d\d:\d\d/, () => TURN_TIMES[turns++])
      .replace(/(?<=completed)( after \w+)? (?=·)/, ' after 1m12s ')
      .replace(/(?<=running for )\d:\d\d/, '0:42')
      .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/, '⠹')
  }
}

function svg(rows) {
  const used = rows.slice(0, rows.findLastIndex((runs) => runs.some(({ text }) => text.trim() !== '')) + 1)
  const width = 2 * MARGIN + COLUMNS * CHAR_WIDTH
  const height = BAR + MARGIN + used.length * LINE_HEIGHT + MARGIN / 2
  const texts = used.flatMap((runs, row) => runs.flatMap((run) => textElements(run, row)))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="herm-tools watch in a terminal: an agent's messages, a call that is completed, one that is running, and one that waits for approval">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; fill: #d6dae2; white-space: pre }
.bold { font-weight: 700 }
.dim { fill: #7d8594 }
${Object.entries(COLOURS)
  .map(([number, colour]) => `.c${number} { fill: ${colour} }`)
  .join('\n')}
</style>
<rect width="${width}" height="${height}" rx="10" fill="#171a21"/>
<g fill="#3a404d"><circle cx="22" cy="20" r="6"/><circle cx="42" cy="20" r="6"/><circle cx="62" cy="20" r="6"/></g>
${texts.join('\n')}
</svg>
`
}

/** Each word where its first letter stands, and as wide as its columns, whatever the font. */
function textElements({ look, text, column }, row) {
  const y = BAR + MARGIN / 2 + (row + 0.75) * LINE_HEIGHT
  return [...text.matchAll(/\S+(?: \S+)*/g)].map((words) => {
    const x = MARGIN + (column + words.index) * CHAR_WIDTH
    const length = words[0].length * CHAR_WIDTH
    const style = look === '' ? '' : ` class="${look}"`
    return `<text${style} x="${fixed(x)}" y="${fixed(y)}" textLength="${fixed(length)}" lengthAdjust="spacingAndGlyphs">${escaped(words[0])}</text>`
  })
}

function fixed(number) {
  return String(Math.round(number * 10) / 10)
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
