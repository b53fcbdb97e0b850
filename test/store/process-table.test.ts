import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { processTable } from '../../src/store/process-table.ts'

const table = processTable(process)

test('knows itself and its parent as alive', () => {
  expect(table.self.pid).toBe(process.pid)
  expect(table.isAlive(table.self)).toBe(true)
  expect(table.isAlive({ pid: process.ppid })).toBe(true)
})

test('knows a stopped process as alive, and one that ended as gone', async () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const pid = child.pid ?? expect.unreachable()
  child.kill('SIGSTOP')
  expect(table.isAlive({ pid })).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(table.isAlive({ pid })).toBe(false)
})

test.runIf(process.platform === 'linux')('tells a process from an earlier one with the same pid', () => {
  expect(table.self.startTime).toMatch(/^\d+$/)
  expect(table.isAlive({ pid: process.pid, startTime: '1' })).toBe(false)
})
