/**
 * The job of the demo: draws a short film of a boat at sea, as text.
 *
 *   node docs/demo-render.mjs FILE
 *
 * The film goes to FILE, one line about it to standard output, and its last frame to standard error, to be looked at.
 */
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const FRAMES = 6
const COLUMNS = 60
const ROWS = 5
/** A film takes longer than an agent's turn. */
const FRAME_MS = 400
const BOAT = ['  |\\', '__|_\\__', '\\_____/']

const [path = 'film.txt'] = process.argv.slice(2)
const frames = []
for (let time = 0; time < FRAMES; time++) {
  frames.push(draw(time))
  await sleep(FRAME_MS)
}
await writeFile(path, frames.join('\n\n'))
console.error(frames.at(-1))
console.log(`${FRAMES} frames, ${COLUMNS} by ${ROWS}, in ${path}`)

function draw(time) {
  const left = 4 + 9 * time
  const keel = surface(left + 3, time)
  const signAt = (x, y) => boat(x - left, y - keel) ?? water(y - surface(x, time))
  const row = (y) => Array.from({ length: COLUMNS }, (_, x) => signAt(x, y)).join('')
  return Array.from({ length: ROWS }, (_, y) => row(y).trimEnd()).join('\n')
}

/** What the boat shows `x` columns right of its stern and `y` rows below its keel; undefined where it is not. */
function boat(x, y) {
  const sign = BOAT[BOAT.length - 1 + y]?.[x]
  return sign === ' ' ? undefined : sign
}

function water(depth) {
  if (depth < 0) return ' '
  return depth === 0 ? '~' : ':'
}

/** The row of the surface: two waves that run against each other. */
function surface(x, time) {
  return Math.round(ROWS - 2.2 + Math.sin(x / 6 + time) * 0.8 + Math.sin(x / 4 - time / 2) * 0.4)
}
