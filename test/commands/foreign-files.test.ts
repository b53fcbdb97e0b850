import { lchownSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { API_KEY, atScriptedSession } from '../helpers/at-session.ts'
import { errorOf } from '../helpers/delivery-stage.ts'
import { giveAway, isRoot } from '../helpers/foreign.ts'
import { blocked, call } from '../helpers/session-events.ts'

const deliver = ['complete', '--tool-use-id', 'call_1', '--text', 'done', '--json']

/** Only root can make files that belong to somebody else; test/store/own-place.test.ts covers the rest. */
describe.runIf(isRoot)('what belongs to another user is not trusted', () => {
  test.each([
    ['the config folder', true],
    ['the config file', false],
  ])('%s: no key is sent to where it leads', async (_name, isFolder) => {
    const { run, home, server } = await atScriptedSession()
    home.writeConfig({ profiles: { default: { baseUrl: server.url } } })
    giveAway(isFolder ? dirname(home.configPath) : home.configPath)
    for (const args of [
      ['sessions', 'list'],
      ['auth', 'login', '--with-key'],
      ['config', 'set', 'agent', 'a'],
    ]) {
      const end = await run([...args, '--json'], { env: { HERM_BASE_URL: undefined }, stdin: API_KEY })
      expect(end).toMatchObject({ code: 1, stdout: '' })
      expect(errorOf(end)).toMatchObject({
        message: expect.stringContaining('belongs to another user (uid 12345)'),
        hint: expect.stringContaining('HERM_TOOLS_CONFIG_DIR'),
      })
    }
    expect(server.requests).toEqual([])
  })

  test('the state folder, also behind a link: nothing is sent', async () => {
    const { run, home, server } = await atScriptedSession({ history: [call(1), blocked(2)] })
    const moved = `${home.stateDir}-of-them`
    mkdirSync(home.stateDir, { mode: 0o700 })
    renameSync(home.stateDir, moved)
    symlinkSync(moved, home.stateDir)
    giveAway(moved)
    const behind = await run(deliver)
    expect(errorOf(behind).message).toContain(`${home.stateDir} is a link to what belongs to another user`)
    lchownSync(moved, 0, 0)
    giveAway(home.stateDir)
    const linked = await run(deliver)
    expect(errorOf(linked).message).toContain(`${home.stateDir} belongs to another user`)
    for (const end of [behind, linked]) expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(server.asked('post')).toEqual([])
  })
})
