import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Chalk } from 'chalk'
import { expect, it, test, vi } from 'vitest'
import { createWaitingLine } from '../../src/output/waiting-line.ts'
import { testClock } from '../helpers/test-clock.ts'

/** What a terminal, or a pipe, is to the line. */
function stderr({ isTTY }: { isTTY: boolean }) {
  let written = ''
  const stream = new PassThrough().on('data', (chunk) => {
    written += chunk
  })
  const terminal = { isTTY, columns: 80, cursorTo: () => {}, clearLine: () => {}, moveCursor: () => {} }
  return { stream: Object.assign(stream, terminal) as unknown as NodeJS.WriteStream, written: () => written }
}

test.each<[string, boolean, Record<string, string>]>([
  ['off a terminal', false, {}],
  ['under CI', true, { CI: 'true' }],
  ['on a dumb terminal', true, { TERM: 'dumb' }],
])('%s it is a plain line for each change', async (_name, isTTY, env) => {
  const { stream, written } = stderr({ isTTY })
  const line = createWaitingLine({ stderr: stream, env, style: new Chalk({ level: 0 }), elapsed: testClock().elapsed })
  line.show('one')
  line.show('one')
  line.show('two')
  line.around(() => stream.write('data\n'))
  await sleep(200)
  line.stop()
  expect(written()).toBe('one\ntwo\ndata\n')
})

it('moves on a terminal, and says for how long', async () => {
  const { stream, written } = stderr({ isTTY: true })
  const { elapsed, advance } = testClock()
  const line = createWaitingLine({ stderr: stream, env: { TERM: 'xterm' }, style: new Chalk({ level: 0 }), elapsed })
  line.show('one')
  await vi.waitFor(() => expect(written()).toMatch(/one[\s\S]*one/), { timeout: 10_000 })
  expect(written()).not.toContain('(')
  await advance(72_400)
  line.show('two')
  await vi.waitFor(() => expect(written()).toContain('two (1m12s)'), { timeout: 10_000 })
  line.around(() => stream.write('data\n'))
  expect(written()).toContain('data\n')
  line.stop()
})

it('shows nothing when the wait is over before it could', async () => {
  const { stream, written } = stderr({ isTTY: true })
  const line = createWaitingLine({
    stderr: stream,
    env: {},
    style: new Chalk({ level: 0 }),
    elapsed: testClock().elapsed,
  })
  line.show('one')
  line.stop()
  await sleep(200)
  expect(written()).toBe('')
})
