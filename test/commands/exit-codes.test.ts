import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorKinds } from '../../src/errors.ts'
import { callId, type DeliveryStage, deliveryStage, errorOf, message, resultArgs } from '../helpers/delivery-stage.ts'
import type { ToolEnd } from '../helpers/run-tool.ts'
import { cutAfterReading, json, refusedPort } from '../helpers/scripted-server.ts'

/** Ends a delivery with each code of the table, at a stage whose call has its kickoff. */
const endings: Record<number, (stage: DeliveryStage) => Promise<ToolEnd>> = {
  0: (stage) => complete(stage),
  1(stage) {
    writeFileSync(stage.home.stateDir, 'no folder')
    return complete(stage)
  },
  2: (stage) => complete(stage, '--file', '-'),
  async 3(stage) {
    await stage.run(resultArgs('fail', 'no such film'), { env: { HERM_TOOLS_STATE_DIR: `${stage.home.folder}/other` } })
    return complete(stage)
  },
  4(stage) {
    stage.proxy.onGets(() => json({ error: { code: 'unauthorized', message: 'revoked' } }, { status: 401 }))
    return complete(stage)
  },
  5: (stage) => complete(stage, '--session', 'ses_none'),
  6(stage) {
    stage.proxy.onPosts(
      stage.proxy.acceptedThen(() => {
        stage.proxy.onGets(() => json({}, { status: 403 }))
        return cutAfterReading
      }),
    )
    return complete(stage)
  },
  async 7(stage) {
    await stage.send(message('ask'))
    return complete(stage, '--tool-use-id', callId(2))
  },
  async 8(stage) {
    await stage.send(message('slow'))
    return complete(stage, '--timeout', '500ms')
  },
  9: async (stage) => complete(stage, '--base-url', `http://127.0.0.1:${await refusedPort()}`),
  130: (stage) => endedBy(stage, 'SIGINT'),
  143: (stage) => endedBy(stage, 'SIGTERM'),
}

/** The codes of errors that are not of the service's own making. */
const codes = Object.fromEntries(Object.entries(errorKinds).map(([kind, { exitCode }]) => [exitCode, kind]))

test('every exit code has its ending here', () => {
  expect(Object.keys(endings).map(Number)).toEqual([0, ...Object.values(errorKinds).map(({ exitCode }) => exitCode)])
})

test.each(Object.keys(endings).map(Number))('%i', async (code) => {
  const stage = await deliveryStage()
  await stage.kickOff()
  const end = await endings[code]?.(stage)
  expect(end?.code).toBe(code)
  if (end === undefined || code === 0) return
  expect(end.stdout).toBe('')
  expect(errorOf(end)).toEqual({
    type: 'herm_tools.error',
    code: expect.stringMatching(code === 4 ? /^unauthorized$/ : code === 5 ? /^not_found$/ : `^${codes[code]}$`),
    message: expect.stringMatching(/\S/),
    hint: expect.stringMatching(/\S/),
    exit_code: code,
  })
})

function complete(stage: DeliveryStage, ...more: string[]): Promise<ToolEnd> {
  return stage.run(resultArgs('complete', 'done', ...more))
}

async function endedBy(stage: DeliveryStage, signal: NodeJS.Signals): Promise<ToolEnd> {
  await stage.send(message('slow'))
  const run = stage.start(resultArgs('complete', 'done'))
  await run.says(/waiting for idle/, 'stderr')
  run.child.kill(signal)
  return run.ended
}
