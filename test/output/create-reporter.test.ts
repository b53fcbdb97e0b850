import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createReporter } from '../../src/output/create-reporter.ts'
import { testClock } from '../helpers/test-clock.ts'

/** A reader that takes what it is given when it is told to. */
function slowReader() {
  const waiting: (() => void)[] = []
  let taken = ''
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      waiting.push(() => {
        taken += chunk
        callback()
      })
    },
  })
  return { stream: stream as NodeJS.WriteStream, taken: () => taken, takeOne: () => waiting.shift()?.() }
}

function reporterTo(stdout: NodeJS.WriteStream, clock = testClock()) {
  return createReporter({
    stdout,
    stderr: stdout,
    env: {},
    json: true,
    quiet: false,
    color: true,
    clock,
    wrap: { stdout: (text) => text, stderr: (text) => text },
  })
}

async function isDone(work: Promise<unknown>): Promise<boolean> {
  const later = new Promise((resolve) => setImmediate(resolve, 'later'))
  return (await Promise.race([work.then(() => 'done'), later])) === 'done'
}

it('says when all that was printed is written', async () => {
  const { stream, taken, takeOne } = slowReader()
  const reporter = reporterTo(stream)
  const { signal } = new AbortController()
  expect(await isDone(reporter.written(signal))).toBe(true)
  reporter.print({ json: { type: 'herm_tools.config_path', path: '/a' }, text: () => 'a' })
  reporter.print({ json: '{"a": 1.0}', text: () => 'a' })
  const written = reporter.written(signal)
  takeOne()
  expect(await isDone(written)).toBe(false)
  takeOne()
  expect(await isDone(written)).toBe(true)
  expect(taken()).toBe('{"type":"herm_tools.config_path","path":"/a"}\n{"a": 1.0}\n')
})

it('does not wait past an abort', async () => {
  const { stream } = slowReader()
  const reporter = reporterTo(stream)
  const stop = new AbortController()
  reporter.print({ json: '{}', text: () => '' })
  const aborted = reporter.written(stop.signal)
  stop.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
})

it('writes at once what is printed in one go, and nothing later than the notes that follow it', async () => {
  const { stream, taken, takeOne } = slowReader()
  const reporter = reporterTo(stream)
  reporter.print({ json: '1', text: () => '' })
  reporter.print({ json: '2', text: () => '' })
  await Promise.resolve()
  takeOne()
  expect(taken()).toBe('1\n2\n')
  reporter.print({ json: '3', text: () => '' })
  reporter.note('a note')
  takeOne()
  takeOne()
  expect(taken()).toBe('1\n2\n3\na note\n')
})

it('writes JSON to a terminal so that nothing in it moves the cursor, and elsewhere as it is', async () => {
  const json = '{"a":"\u009b2J"}'
  for (const [isTTY, expected] of [
    [true, '{"a":"\\u009b2J"}\n'],
    [false, `${json}\n`],
  ] as const) {
    const { stream, taken, takeOne } = slowReader()
    const reporter = reporterTo(Object.assign(stream, { isTTY }))
    reporter.print({ json, text: () => '' })
    reporter.done()
    takeOne()
    expect(taken()).toBe(expected)
  }
})

it('pauses now and then on a terminal, so that Ctrl-C is noticed', async () => {
  const clock = testClock()
  const reporter = reporterTo(Object.assign(slowReader().stream, { isTTY: true }), clock)
  const stop = new AbortController()
  expect(await isDone(reporter.written(stop.signal))).toBe(true)
  await clock.advance(50)
  const paused = reporter.written(stop.signal)
  expect(await isDone(paused)).toBe(false)
  await clock.advance(1)
  expect(await isDone(paused)).toBe(true)
  expect(await isDone(reporter.written(stop.signal))).toBe(true)
  await clock.advance(50)
  const ended = reporter.written(stop.signal)
  stop.abort(new Error('enough'))
  await expect(ended).rejects.toThrow('enough')
})
