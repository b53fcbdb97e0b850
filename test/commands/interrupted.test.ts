import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { entryLockName } from '../../src/store/entry-path.ts'
import type { Lock } from '../../src/store/process-lock.ts'
import { acquireLock } from '../../src/store/process-lock.ts'
import { processTable } from '../../src/store/process-table.ts'
import {
  CALL,
  type DeliveryStage,
  deliveryStage,
  errorOf,
  message,
  resultArgs,
  SESSION,
} from '../helpers/delivery-stage.ts'
import { held } from '../helpers/fault-proxy.ts'
import { realClock } from '../helpers/real-clock.ts'
import type { ToolRun } from '../helpers/run-tool.ts'
import { neverAnswers, text } from '../helpers/scripted-server.ts'

const complete = resultArgs('complete', 'done')

/** Starts the delivery and brings it to an instant; what it gives is done once the process is dead. */
const instants: Record<string, (stage: DeliveryStage) => Promise<{ run: ToolRun; afterwards?: () => unknown }>> = {
  async 'before it has the lock'(stage) {
    const lock = await stage.home.journal.lockCall(keyOf(stage), { label: 'the test', timeoutMs: 1_000 })
    const run = stage.start(complete)
    await run.says(/is being answered by process \d+ \(the test\)/, 'stderr')
    return { run, afterwards: () => lock.release() }
  },
  async 'with the lock, before anything is known'(stage) {
    const stream = held(stage.proxy.pass)
    stage.proxy.onGets(() => stream)
    const run = stage.start(complete)
    await stream.reached
    return { run, afterwards: () => stage.proxy.onGets(() => undefined) }
  },
  async 'while it waits for idle'(stage) {
    await stage.send(message('slow'))
    const run = stage.start(complete)
    await run.says(/waiting for idle/, 'stderr')
    return { run, afterwards: () => stage.emulator.clock.advance(10_000) }
  },
  async 'when the intent is written and nothing is accepted'(stage) {
    const post = held(neverAnswers)
    stage.proxy.onPosts(post)
    const run = stage.start(complete)
    await post.reached
    expect(entryText(stage)).toContain('"intent"')
    return { run }
  },
  async 'when it is accepted and not yet answered'(stage) {
    const answer = held(neverAnswers)
    stage.proxy.onPosts(stage.proxy.acceptedThen(answer))
    const run = stage.start(complete)
    await answer.reached
    return { run }
  },
  async 'when it is answered and not yet recorded'(stage) {
    let lock: Lock | undefined
    let answered = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answered = resolve
    })
    stage.proxy.onPosts(
      stage.proxy.acceptedThen((body) => ({
        readsBody: true,
        async run(exchange) {
          lock = await lockEntry(stage)
          exchange.response.on('close', answered)
          await text(body, { status: 202 }).run(exchange)
        },
      })),
    )
    const run = stage.start(complete)
    await isAnswered
    await sleep(50)
    expect(entryText(stage)).toContain('"intent"')
    return { run, afterwards: () => lock?.release() }
  },
}

describe('killed', () => {
  test.each(Object.entries(instants))(
    '%s, it does no harm: the same command again is one final',
    async (_name, reach) => {
      const stage = await deliveryStage()
      await stage.kickOff()
      const { run, afterwards } = await reach(stage)
      run.child.kill('SIGKILL')
      expect(await run.ended).toMatchObject({ signal: 'SIGKILL', stdout: '' })
      await afterwards?.()

      const end = await stage.run(complete)
      expect(end.code).toBe(0)
      expect(end.records()).toMatchObject([{ event_id: stage.resultId(), status: 'completed' }])
      expect(stage.told()).toEqual(['completed done'])
      expect(entryText(stage)).not.toContain('"intent"')
    },
  )
})

describe('interrupted', () => {
  test('while it waits, it says that nothing was accepted', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    await stage.send(message('slow'))
    const run = stage.start(complete)
    await run.says(/waiting for idle/, 'stderr')
    run.child.kill('SIGINT')
    const end = await run.ended
    expect(end).toMatchObject({ code: 130, stdout: '' })
    expect(errorOf(end).message).toBe(`interrupted: no completed result for ${CALL} was accepted from here`)
    expect(stage.posts()).toBe(0)
  })

  test('while the POST is under way, it says that it may have been accepted; the next run finds out', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    const answer = held(stage.proxy.pass)
    stage.proxy.onPosts(stage.proxy.acceptedThen(answer))
    const run = stage.start(complete)
    await answer.reached
    run.child.kill('SIGINT')
    const end = await run.ended
    expect(end).toMatchObject({ code: 130, stdout: '' })
    expect(errorOf(end)).toMatchObject({
      message: `interrupted: the result for ${CALL} may have been accepted`,
      hint: expect.stringContaining(`reconcile --tool-use-id ${CALL}`),
    })
    expect((await stage.run(complete)).records()).toMatchObject([{ outcome: 'already_recorded' }])
    expect(stage.told()).toEqual(['completed done'])
  })

  test('while it looks for what became of the result, it says so too', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    stage.proxy.onPosts(text('bad gateway', { status: 502 }))
    const run = stage.start(resultArgs('complete', 'done', '--settle', '1m'))
    await run.says(/looking in the history for up to 60.0 s/, 'stderr')
    run.child.kill('SIGTERM')
    const end = await run.ended
    expect(end.code).toBe(143)
    expect(errorOf(end).message).toContain('may have been accepted')
  })
})

test('a stopped process keeps its lock: another waits, says for whom, and finds the final there', async () => {
  const stage = await deliveryStage()
  await stage.kickOff()
  const post = held(stage.proxy.pass)
  stage.proxy.onPosts(post)
  const holder = stage.start(complete)
  await post.reached
  holder.child.kill('SIGSTOP')
  post.release()
  const other = stage.start(complete)
  await other.says(
    new RegExp(`${CALL} is being answered by process ${holder.child.pid} \\(completed ${CALL}\\)`),
    'stderr',
  )
  await sleep(200)
  holder.child.kill('SIGCONT')
  expect((await holder.ended).records()).toMatchObject([{ outcome: 'accepted' }])
  expect((await other.ended).records()).toMatchObject([{ outcome: 'already_recorded' }])
  expect(stage.told()).toEqual(['completed done'])
})

function keyOf(stage: DeliveryStage) {
  return { baseUrl: stage.proxy.url, sessionId: SESSION, toolUseId: CALL }
}

/** What the journal has on disk. */
function entryText(stage: DeliveryStage): string {
  const folder = join(stage.home.stateDir, 'journal')
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.json'))
  return readFileSync(join(folder, name), 'utf8')
}

/** Keeps the tool from writing its entry. */
function lockEntry(stage: DeliveryStage): Promise<Lock> {
  return acquireLock({
    path: join(stage.home.stateDir, 'locks', entryLockName(keyOf(stage))),
    label: 'the test',
    timeoutMs: 1_000,
    clock: realClock,
    processes: processTable(process),
  })
}
