import { describe, expect, it, test } from 'vitest'
import { CALL, deliveryStage, resultArgs, SESSION } from '../helpers/delivery-stage.ts'
import { runHere } from '../helpers/run-here.ts'

/** Not in JSON: --json has a say in the form of errors alone. */
const answer = (text: string, ...more: string[]) =>
  resultArgs('running', text, ...more).filter((word) => word !== '--json')

it('prints one value of a record, a string as it is', async () => {
  const stage = await deliveryStage()
  const end = await stage.runHere(answer('started', '--field', 'event_id', '--quiet'))
  expect(end).toMatchObject({ code: 0, stdout: `${stage.resultId()}\n`, stderr: '' })
  expect((await stage.runHere(answer('started', '--field', 'turns_waited'))).stdout).toBe('0\n')
})

it('reaches into what the service wrote, and prints lines as they are', async () => {
  const stage = await deliveryStage()
  await stage.runHere(resultArgs('running', 'one\ntwo\u001b[31m\n'))
  const args = ['events', SESSION, '--type', 'user.custom_tool_result', '--field']
  expect((await stage.runHere([...args, 'payload.content.0.text'])).stdout).toBe('one\ntwo\u001b[31m\n\n')
  expect((await stage.runHere([...args, 'payload.is_error'])).stdout).toBe('false\n')
  expect(JSON.parse((await stage.runHere([...args, 'payload.content'])).stdout)).toEqual([
    { type: 'text', text: 'one\ntwo\u001b[31m\n' },
  ])
})

it('prints an empty line for null, and nothing for a record without the field', async () => {
  const stage = await deliveryStage()
  expect((await stage.runHere(['pending', SESSION, '--field', 'result_event_id'])).stdout).toBe('\n')
  expect((await stage.runHere(['events', SESSION, '--field', 'payload.name'])).stdout).toBe('render\n')
  expect(await stage.runHere(['jobs', 'list', '--session', 'ses_none', '--field', 'state'])).toMatchObject({
    code: 0,
    stdout: '',
  })
})

describe('a field that nothing has', () => {
  it.each([
    ['evnt_id', 'The record has: type, outcome, session_id, tool_use_id, status, event_id, recorded_at, turns_waited.'],
    ['status.text', 'status has no fields.'],
    ['toString', 'The record has: type, outcome,'],
  ])('%s is told after the fact, with what there is', async (path, hint) => {
    const stage = await deliveryStage()
    const end = await stage.runHere(answer('started', '--field', path, '--quiet'))
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toContain(`error: the command has run, but nothing that it printed has a field ${path}\n`)
    expect(end.stderr).toContain(`hint: ${hint}`)
    expect(stage.resultId()).toBeDefined()
  })

  it.each(['', 'payload.', 'a..b'])('%j is wrong usage', async (path) => {
    expect(await runHere(['help', 'output', '--field', path])).toMatchObject({ code: 2, stdout: '' })
  })
})

test('errors stay as they are: for people, or with --json in JSON', async () => {
  const stage = await deliveryStage()
  const args = ['complete', '--session', SESSION, '--tool-use-id', CALL, '--text', '', '--field', 'event_id']
  expect((await stage.runHere(args)).stderr).toMatch(/^error: /)
  expect(JSON.parse((await stage.runHere([...args, '--json'])).stderr)).toMatchObject({ type: 'herm_tools.error' })
})
