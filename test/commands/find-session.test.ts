import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CALL, deliveryStage, errorOf, resultArgs, SESSION } from '../helpers/delivery-stage.ts'

describe('the session, left out,', () => {
  const args = ['complete', '--tool-use-id', CALL, '--text', 'done', '--json']

  test('is the one where the journal saw the call', async () => {
    const stage = await deliveryStage()
    await stage.runHere(resultArgs('running', 'started'))
    const end = await stage.runHere(args, { env: { HERM_SESSION: 'ses_other' } })
    expect(end.records()).toMatchObject([{ outcome: 'accepted', session_id: SESSION }])
  })

  test('is that of HERM_SESSION, or of the profile', async () => {
    const byVariable = await deliveryStage()
    expect((await byVariable.runHere(args, { env: { HERM_SESSION: SESSION } })).records()).toMatchObject([
      { session_id: SESSION },
    ])
    const byProfile = await deliveryStage()
    byProfile.home.writeConfig({ profiles: { default: { session: SESSION } } })
    expect((await byProfile.runHere(args)).records()).toMatchObject([{ session_id: SESSION }])
  })

  test('is asked for when nothing tells it, and when several do', async () => {
    const stage = await deliveryStage()
    expect(await stage.runHere(args)).toMatchObject({ code: 2, stdout: '' })

    const { journal } = stage.home
    for (const sessionId of ['ses_8', 'ses_9']) {
      await journal.update({ baseUrl: stage.proxy.url, sessionId, toolUseId: CALL }, () => ({}))
    }
    await journal.update({ baseUrl: 'http://127.0.0.1:1', sessionId: SESSION, toolUseId: CALL }, () => ({}))
    const ambiguous = await stage.runHere(args)
    expect(ambiguous).toMatchObject({ code: 2, stdout: '' })
    expect(errorOf(ambiguous).message).toContain('ses_8, ses_9')
    expect(stage.proxy.requests).toEqual([])
  })

  test('is not guessed past a journal that cannot be read', async () => {
    const stage = await deliveryStage()
    await stage.runHere(resultArgs('running', 'started'))
    const path = breakJournal(stage.home.stateDir)
    const end = await stage.runHere(args)
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(errorOf(end).message).toContain(path)
  })
})

test('a journal entry that makes no sense stops the delivery, and stays as it is', async () => {
  const stage = await deliveryStage()
  await stage.runHere(resultArgs('running', 'started'))
  const path = breakJournal(stage.home.stateDir)
  const end = await stage.runHere(resultArgs('complete', 'done'))
  expect(end).toMatchObject({ code: 1, stdout: '' })
  expect(errorOf(end).message).toContain(path)
  expect(errorOf(end).hint).toContain(`jobs forget ${CALL}`)
  expect(readFileSync(path, 'utf8')).toBe('{"broken')
  expect(stage.posts()).toBe(1)
})

test.each([
  ['is a file', (stateDir: string) => writeFileSync(stateDir, '')],
  [
    'cannot take the entry',
    (stateDir: string) => {
      mkdirSync(stateDir, { recursive: true })
      writeFileSync(join(stateDir, 'journal'), '')
    },
  ],
])('nothing is sent when the state folder %s', async (_name, spoil) => {
  const stage = await deliveryStage()
  await stage.kickOff()
  spoil(stage.home.stateDir)
  const end = await stage.runHere(resultArgs('complete', 'done'))
  expect(end).toMatchObject({ code: 1, stdout: '' })
  expect(errorOf(end).hint).toContain('HERM_TOOLS_STATE_DIR')
  expect(stage.posts()).toBe(0)
})

function breakJournal(stateDir: string): string {
  const folder = join(stateDir, 'journal')
  const path = join(folder, readdirSync(folder)[0] ?? '')
  writeFileSync(path, '{"broken')
  return path
}
