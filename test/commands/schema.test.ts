import { expect, it, test } from 'vitest'
import { fromJSONSchema } from 'zod'
import { assertRecordShapes } from '../helpers/record-check.ts'
import { runHere } from '../helpers/run-here.ts'
import { runTool } from '../helpers/run-tool.ts'

const RESULT = {
  type: 'herm_tools.result',
  outcome: 'accepted',
  session_id: 'ses_01',
  tool_use_id: 'custom_toolu_01',
  status: 'completed',
  event_id: null,
  recorded_at: '2026-08-01T10:00:00.000Z',
  turns_waited: 0,
}

it('lists the records of help output, and what the service has of its own', async () => {
  const [list, help] = await Promise.all([runHere(['schema', '--json']), runHere(['help', 'output', '--json'])])
  const records = help.records().filter(({ type }) => type === 'herm_tools.record_type')
  expect(list.records()).toEqual([
    ...records,
    { type: 'herm_tools.record_type', name: 'event', meaning: expect.any(String) },
    { type: 'herm_tools.record_type', name: 'session', meaning: expect.any(String) },
  ])
  for (const { meaning } of records) expect(meaning).toMatch(/\S/)
})

it.each(['result', 'herm_tools.result'])('prints the schema of %s as a document', async (name) => {
  const [shown, line] = await Promise.all([runHere(['schema', name]), runHere(['schema', name, '--json'])])
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(line.stdout.split('\n')).toHaveLength(2)
  const schema = JSON.parse(shown.stdout)
  expect(JSON.parse(line.stdout)).toEqual(schema)
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'herm_tools.result',
    required: Object.keys(RESULT),
  })
})

test('a schema takes what is printed, and fields of later versions, and nothing less', async () => {
  const schema = fromJSONSchema(JSON.parse((await runTool(['schema', 'result'])).stdout))
  const { event_id: _, ...less } = RESULT
  expect(schema.safeParse(RESULT).success).toBe(true)
  expect(schema.safeParse({ ...RESULT, added_later: 1 }).success).toBe(true)
  expect(schema.safeParse(less).success).toBe(false)
  expect(schema.safeParse({ ...RESULT, outcome: 'perhaps' }).success).toBe(false)
})

test('--all is one document, with a definition for each name', async () => {
  const [all, list] = await Promise.all([runHere(['schema', '--all', '--json']), runHere(['schema', '--json'])])
  const schema = JSON.parse(all.stdout)
  expect(Object.keys(schema.$defs)).toEqual(list.records().map(({ name }) => name))
  expect(schema.anyOf).toEqual(Object.keys(schema.$defs).map((name) => ({ $ref: `#/$defs/${name}` })))
})

it.each([
  [['schema', 'resul'], 'Did you mean result?'],
  [['schema', 'xyzzy'], 'herm-tools schema lists them.'],
  [['schema', 'result', '--all'], 'Leave one of them out.'],
])('%j is wrong usage', async (args, hint) => {
  const end = await runHere(args)
  expect(end).toMatchObject({ code: 2, stdout: '' })
  expect(end.stderr).toContain(`hint: ${hint}\n`)
})

it.each([
  ['a field too many', { ...RESULT, more: 1 }],
  ['a field too few', { ...RESULT, status: undefined }],
  ['a value of another kind', { ...RESULT, turns_waited: '0' }],
  ['a record that nobody knows', { type: 'herm_tools.unheard_of' }],
])('every test of the program would see %s', (_fault, record) => {
  expect(() => assertRecordShapes(`${JSON.stringify(RESULT)}\n`)).not.toThrow()
  expect(() => assertRecordShapes(`waiting\n${JSON.stringify(record)}\n`)).toThrow()
})
