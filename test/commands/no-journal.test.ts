import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deliveryStage, errorOf, resultArgs } from '../helpers/delivery-stage.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/** A state directory in which nothing can be made, also by root. */
async function brokenState(): Promise<string> {
  const file = join(temporaryFolder(), 'file')
  await writeFile(file, '')
  return join(file, 'state')
}

test('where the intent cannot be written, nothing is sent', async () => {
  const stage = await deliveryStage()
  await stage.kickOff()
  const end = await stage.run(resultArgs('complete', 'done'), { env: { HERM_TOOLS_STATE_DIR: await brokenState() } })
  expect(end).toMatchObject({ code: 1, stdout: '' })
  expect(errorOf(end).hint).toContain('HERM_TOOLS_STATE_DIR')
  expect(stage.posts()).toBe(0)
})

test('--no-journal sends without a state directory, and says what is given up', async () => {
  const stage = await deliveryStage()
  await stage.kickOff()
  const env = { HERM_TOOLS_STATE_DIR: await brokenState() }
  const args = resultArgs('complete', 'done', '--no-journal')
  const first = await stage.run(args, { env })
  expect(first.records()).toMatchObject([{ outcome: 'accepted', event_id: stage.resultId() }])
  expect(first.stderr).toContain('may be accepted twice')
  const again = await stage.run(args, { env })
  expect(again.records()).toMatchObject([{ outcome: 'already_recorded', event_id: stage.resultId() }])
  expect(stage.told()).toEqual(['completed done'])
})
