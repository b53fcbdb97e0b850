import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { endLock } from '../../src/store/lock-folder.ts'
import { acquireLock, type ProcessLockOptions } from '../../src/store/process-lock.ts'
import { processTable } from '../../src/store/process-table.ts'
import { programs, type RunningProgram } from '../helpers/programs.ts'
import { realClock } from '../helpers/real-clock.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testClock } from '../helpers/test-clock.ts'
import { whileTimePasses } from '../helpers/while-time-passes.ts'

const fixtures = programs('store', ['lock-rounds', 'hold-lock'])

function options(change: Partial<ProcessLockOptions> = {}): ProcessLockOptions {
  return {
    path: join(temporaryFolder(), 'lock'),
    clock: realClock,
    processes: processTable(process),
    label: 'test',
    timeoutMs: 20_000,
    ...change,
  }
}

/** Every line `enter P` is followed at once by `leave P`. */
async function expectOneAtATime(log: string, times: number): Promise<void> {
  const lines = (await readFile(log, 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(times * 2)
  for (let at = 0; at < lines.length; at += 2) {
    expect([lines[at], lines[at + 1]]).toEqual([lines[at], lines[at]?.replace('enter', 'leave')])
  }
}

async function hold(path: string, ...host: string[]): Promise<RunningProgram> {
  const holder = fixtures.run('hold-lock', path, ...host)
  await holder.printed('held')
  return holder
}

test('is held by one, asserted while held, and leaves nothing when released, twice too', async () => {
  const wanted = options()
  const lock = await acquireLock(wanted)
  await lock.assertHeld()
  await lock.release()
  await lock.release()
  expect(await readdir(join(wanted.path, '..'))).toEqual([])
  await expect(lock.assertHeld()).rejects.toMatchObject({ kind: 'failed' })
})

test('makes a second taker in the same process wait', async () => {
  const wanted = options()
  const first = await acquireLock(wanted)
  let waits = 0
  const second = acquireLock({ ...wanted, onWait: () => waits++ })
  await expect.poll(() => waits).toBe(1)
  await first.assertHeld()
  await first.release()
  const lock = await second
  await lock.assertHeld()
  expect(waits).toBe(1)
  await lock.release()
})

test('names the holder when the wait ends', async () => {
  const wanted = options()
  const held = await acquireLock({ ...wanted, label: 'complete toolu_1' })
  const error = await acquireLock({ ...wanted, timeoutMs: 30 }).catch((error) => error)
  expect(error).toMatchObject({ kind: 'timeout' })
  expect(error.message).toContain(`process ${process.pid} (complete toolu_1)`)
  await held.release()
})

test('stops waiting when the signal is aborted', async () => {
  const wanted = options()
  const held = await acquireLock(wanted)
  const controller = new AbortController()
  const reason = new Error('Ctrl-C')
  const waiting = acquireLock({ ...wanted, signal: controller.signal, onWait: () => controller.abort(reason) })
  await expect(waiting).rejects.toBe(reason)
  await held.release()
})

test('is never held by two of three processes at once', async () => {
  const { path } = options()
  const log = `${path}.log`
  const runs = [1, 2, 3].map(() => fixtures.run('lock-rounds', path, log, '150'))
  expect(await Promise.all(runs.map((run) => run.ended))).toEqual([0, 0, 0])
  await expectOneAtATime(log, 450)
})

test('is taken over, by one at a time, when its holder is killed while several wait', async () => {
  const { path } = options()
  const log = `${path}.log`
  const holder = await hold(path)
  const waiting = [1, 2, 3, 4].map(() => fixtures.run('lock-rounds', path, log))
  await Promise.all(waiting.map((run) => run.printed('waiting')))
  const killedAt = Date.now()
  holder.child.kill('SIGKILL')
  expect(await Promise.all(waiting.map((run) => run.ended))).toEqual([0, 0, 0, 0])
  expect(Date.now() - killedAt).toBeLessThan(7000)
  await expectOneAtATime(log, 4)
})

test('stays with a holder that is stopped, for longer than a silence, and that holds it still when it goes on', async () => {
  const wanted = options({ timeoutMs: 6500 })
  const holder = await hold(wanted.path)
  holder.child.kill('SIGSTOP')
  await expect(acquireLock(wanted)).rejects.toMatchObject({ kind: 'timeout' })
  holder.child.kill('SIGCONT')
  await setTimeout(1800) // one heartbeat
  holder.child.stdin?.write('\n')
  await holder.printed('still held')
})

test('stays with a holder on another machine that gives signs of life, and is taken over once it is silent', async () => {
  const wanted = options()
  const holder = await hold(wanted.path, 'elsewhere')
  await expect(acquireLock({ ...wanted, timeoutMs: 6500 })).rejects.toMatchObject({ kind: 'timeout' })
  holder.child.kill('SIGSTOP')
  const lock = await acquireLock(wanted)
  holder.child.kill('SIGCONT')
  holder.child.stdin?.write('\n')
  await holder.printed('the lock lock was lost to another process')
  // The one that was robbed leaves, and must not take the lock of its successor with it.
  holder.child.stdin?.end()
  expect(await holder.ended).toBe(0)
  await lock.assertHeld()
  await lock.release()
})

test('is removed by a holder that exits, and by one that a signal ends', async () => {
  const { path } = options()
  const leaves = await hold(path)
  leaves.child.stdin?.end()
  expect(await leaves.ended).toBe(0)
  const terminated = await hold(path)
  terminated.child.kill('SIGTERM')
  expect(await terminated.ended).toBeNull()
  expect(terminated.child.signalCode).toBe('SIGTERM')
  expect(await readdir(join(path, '..'))).toEqual([])
})

test('counts a recycled pid as gone', async () => {
  const wanted = options()
  const { self, ...rest } = wanted.processes
  await acquireLock({ ...wanted, processes: { ...rest, self: { ...self, startTime: '1' } } })
  const lock = await acquireLock({ ...wanted, timeoutMs: 500 })
  await lock.assertHeld()
  await lock.release()
})

test('takes over what is no lock of ours after a silence by its own clock', async () => {
  const clock = testClock()
  const wanted = options({ clock, timeoutMs: 60_000 })
  await mkdir(wanted.path)
  await writeFile(join(wanted.path, 'owner.json'), 'no record')
  const taken = acquireLock(wanted)
  let got = false
  void taken.then(() => {
    got = true
  })
  for (let ms = 0; ms < 4900; ms += 100) await clock.advance(100)
  expect(got).toBe(false)
  await (await whileTimePasses(clock, taken)).release()
})

test.each(['killed', 'regular'] as const)(
  'has one end: whoever was slow to act on an owner whose end was %s cannot end the next lock',
  async (end) => {
    const wanted = options()
    const first = await hold(wanted.path)
    const [token = ''] = await readdir(wanted.path)
    if (end === 'killed') first.child.kill('SIGKILL')
    else first.child.stdin?.end()
    await first.ended
    const next = await acquireLock(wanted)
    expect(endLock(wanted.path, token)).toBe(false)
    await next.assertHeld()
    await next.release()
  },
)

test('is free where an end was cut off halfway', async () => {
  const wanted = options({ timeoutMs: 0 })
  await mkdir(wanted.path)
  const lock = await acquireLock(wanted)
  await lock.assertHeld()
  await lock.release()
})

test('is lost, with a clear word, when somebody removes it', async () => {
  const wanted = options()
  const lock = await acquireLock(wanted)
  await rm(wanted.path, { recursive: true })
  await expect(lock.assertHeld()).rejects.toMatchObject({ kind: 'failed', hint: expect.stringContaining('again') })
  await lock.release()
})
