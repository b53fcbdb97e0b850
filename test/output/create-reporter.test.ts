import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createReporter } from '../../src/output/create-reporter.ts'

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

function reporterTo(stdout: NodeJS.WriteStream) {
  return createReporter({ stdout, stderr: stdout, env: {}, json: true, quiet: false, color: true })
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
  reporter.print({ json: { a: 1 }, text: () => 'a' })
  reporter.print({ json: '{"a": 1.0}', text: () => 'a' })
  const written = reporter.written(signal)
  takeOne()
  expect(await isDone(written)).toBe(false)
  takeOne()
  takeOne()
  expect(await isDone(written)).toBe(true)
  expect(taken()).toBe('{"a":1}\n{"a": 1.0}\n')
})

it('does not wait past an abort', async () => {
  const { stream } = slowReader()
  const reporter = reporterTo(stream)
  const stop = new AbortController()
  reporter.print({ json: {}, text: () => '' })
  const aborted = reporter.written(stop.signal)
  stop.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
})
