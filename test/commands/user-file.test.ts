import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CALL, deliveryStage, SESSION } from '../helpers/delivery-stage.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { toolHome } from '../helpers/tool-home.ts'

const COMPLETE = ['complete', '--session', SESSION, '--tool-use-id', CALL, '--file']

function namedPipe(): string {
  const path = join(temporaryFolder(), 'pipe')
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  return path
}

/** Opens the pipe to write, as soon as somebody has opened it to read. */
async function writerOf(path: string): Promise<number> {
  const descriptor = await vi.waitFor(() => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK), 10_000)
  onTestFinished(() => closeSync(descriptor))
  return descriptor
}

test('a result may come from a named pipe, and late', async () => {
  const stage = await deliveryStage()
  const pipe = namedPipe()
  const run = stage.start([...COMPLETE, pipe])
  const writer = openSync(pipe, 'w')
  writeFileSync(writer, 'the one ')
  await new Promise((resolve) => setTimeout(resolve, 100))
  writeFileSync(writer, 'and the other\n')
  closeSync(writer)
  expect(await run.ended).toMatchObject({ code: 0 })
  expect(stage.finals()).toEqual(['completed the one and the other\n'])
})

test.each([
  ['of a result', [...COMPLETE]],
  ['of a scenario', ['emulator', '--port', '0', '--scenario']],
  ['of certificates', ['sessions', 'list', '--base-url', 'https://127.0.0.1:1', '--ca-file']],
  ['of certificates, for a setting', ['config', 'set', 'caFile']],
  ['of certificates, to doctor', ['doctor', '--ca-file']],
])('a pipe %s that nobody writes to does not hold up Ctrl-C', async (_what, args) => {
  const home = toolHome()
  const pipe = namedPipe()
  const run = home.start([...args, pipe], { env: { PRISM_API_KEY: 'prism_sk_0123456789abcdef' } })
  await writerOf(pipe)
  run.child.kill('SIGINT')
  expect(await run.ended).toMatchObject({ code: 130 })
})
