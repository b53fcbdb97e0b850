import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import {
  CALL,
  type DeliveryStage,
  deliveryStage,
  errorOf,
  message,
  resultArgs,
  SESSION,
} from '../helpers/delivery-stage.ts'
import type { Behaviour } from '../helpers/scripted-server.ts'
import { refusal } from '../helpers/session-events.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { toolHome } from '../helpers/tool-home.ts'
import { readOutputs } from '../helpers/workflow.ts'

/** A step of GitHub Actions in which something has been written already. */
function step() {
  const folder = temporaryFolder()
  const env = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
  writeFileSync(env.GITHUB_OUTPUT, 'before<<EOF\nkept\nEOF\n')
  writeFileSync(env.GITHUB_STEP_SUMMARY, '# Before\n')
  return {
    env,
    outputs: () => readOutputs(readFileSync(env.GITHUB_OUTPUT, 'utf8')),
    summary: () => readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'),
  }
}

it('leaves the fields of a record as outputs, and a summary, behind what is there', async () => {
  const stage = await deliveryStage()
  const { env, outputs, summary } = step()
  const end = await stage.run(resultArgs('running', 'started', '--github'), { env })
  const [record] = end.records()
  expect(outputs()).toEqual({
    before: 'kept',
    type: 'herm_tools.result',
    outcome: 'accepted',
    session_id: SESSION,
    tool_use_id: CALL,
    status: 'running',
    event_id: stage.resultId(),
    recorded_at: record?.recorded_at,
    turns_waited: '0',
    count: '1',
    records: JSON.stringify([record]),
  })
  expect(summary()).toMatch(
    /^# Before\n### herm_tools.result\n\n\| outcome \| .* \|\n\| --- \|.*\n\| <code>accepted<\/code> \|/,
  )
})

describe('several records', () => {
  it('are a list, and none of them is the one to act on', async () => {
    const stage = await deliveryStage()
    await stage.kickOff()
    await stage.send(message('go'))
    const { env, outputs } = step()
    const end = await stage.run(['pending', SESSION, '--json', '--github'], { env })
    expect(end.records()).toHaveLength(2)
    expect(outputs()).toEqual({ before: 'kept', count: '2', records: JSON.stringify(end.records()) })
  })

  it('may be none', async () => {
    const { env, outputs, summary } = step()
    await toolHome().run(['jobs', 'list', '--github'], { env })
    expect(outputs()).toEqual({ before: 'kept', count: '0', records: '[]' })
    expect(summary()).toBe('# Before\n')
  })
})

test('text from a session ends no value, and is no Markdown and no HTML', async () => {
  const stage = await deliveryStage({
    scenario: `
agents:
  worker:
    - when: message
      do: [{ call: { tool: 'a|b', input: { title: "{{text}}" } } }]
sessions:
  - { id: ${SESSION}, agent: worker }
`,
  })
  const hostile = 'x\nEOF\noutcome=forged\n</code></table><img src=x>|`*_[a](http://b)\\|@all'
  await stage.send(message(hostile))
  const { env, outputs, summary } = step()
  await stage.run(['pending', SESSION, '--github'], { env })
  expect(JSON.parse(outputs().input ?? '')).toEqual({ title: hostile })
  expect(outputs()).not.toHaveProperty('outcome')
  const [, row = ''] = summary().split('--- |\n')
  const cells = [...row.matchAll(/<code>((?:\\[!-/:-@[-`{-~]|[^!-/:-@[-`{-~])*)<\/code>/g)].map(([, text = '']) => text)
  expect(cells.map((text) => text.replace(/\\(.)/g, '$1'))).toContain('a|b')
  expect(cells.some((text) => text.includes('\\<\\/code\\>') && text.includes('\\@all'))).toBe(true)
  expect(row.replace(/<code>(?:\\.|[^\\])*?<\/code>/g, '')).toMatch(/^[| \n]*$/)
})

describe('nothing that is printed is a command to GitHub', () => {
  /** As its runner finds one in a line. */
  const commands = (output: string) => output.split(/[\r\n]/).filter((line) => /^\s*::|##\[/.test(line))

  it.each([
    ['human', []],
    ['JSON', ['--json']],
  ])('in the %s form of what a session says', async (_form, more) => {
    const stage = await deliveryStage()
    const text = 'x ##[add-mask]e\n::add-mask::e\n:\u200b:add-mask::e ##\u200b[add-mask]e'
    await stage.kickOff()
    await stage.send(message(text))
    const end = await stage.run(['events', SESSION, ...more, '--github'], { env: step().env })
    expect(end.code).toBe(0)
    expect(end.stdout).toContain('add-mask')
    expect(commands(end.stdout + end.stderr)).toEqual([])
    if (more.length > 0)
      expect(end.records().some((record) => JSON.stringify(record).includes('##[add-mask]'))).toBe(true)
  })

  it.each([[[]], [['--json']]])('in an error with %j, but its own', async (more) => {
    const args = ['help', 'x\n::add-mask::e\n  ##[add-mask]e', ...more, '--github']
    const end = await toolHome().run(args, { env: step().env })
    expect(end.code).toBe(2)
    expect(commands(end.stderr)).toEqual([expect.stringMatching(/^::error title=herm-tools::/)])
  })
})

describe('an error', () => {
  it('marks the step, and is left to later ones', async () => {
    const { env, outputs, summary } = step()
    const args = ['help', '100%\nx', '--github']
    const end = await toolHome().run(args, { env })
    expect(end.code).toBe(2)
    expect(end.stderr).toMatch(
      /^::error title=herm-tools::there is no help for "100%25%0Ax"%0A.*\nerror: there is no help/,
    )
    expect(outputs()).toMatchObject({ code: 'usage', message: 'there is no help for "100%\nx"', exit_code: '2' })
    expect(summary()).toContain('### herm_tools.error\n')
    expect(errorOf(await toolHome().run([...args, '--json'], { env }))).toMatchObject({ exit_code: 2 })
  })

  it('is told where commander finds it', async () => {
    const { env, outputs } = step()
    const end = await toolHome().run(['complete', '--tool-use-id', '', '--github'], { env })
    expect(end.stderr).toMatch(/^::error title=herm-tools::/)
    expect(outputs()).toMatchObject({ code: 'usage', exit_code: '2' })
  })

  it('is no reason to keep back what was printed before it', async () => {
    const stage = await deliveryStage()
    const { env, outputs } = step()
    expect((await stage.run(['pending', SESSION, '--exit-code', '--github'], { env })).code).toBe(1)
    expect(outputs()).toMatchObject({ tool_use_id: CALL, exit_code: '1' })
  })
})

describe('a file that can no longer be written when the command is over', () => {
  /** Takes the file away once the service is sent something, and answers as `then` does. */
  async function broken(answer: (stage: DeliveryStage) => Behaviour) {
    const stage = await deliveryStage()
    const { env } = step()
    const then = answer(stage)
    stage.proxy.onPosts({
      readsBody: true,
      run(exchange) {
        rmSync(env.GITHUB_OUTPUT)
        mkdirSync(env.GITHUB_OUTPUT)
        return then.run(exchange)
      },
    })
    return { stage, end: await stage.run(resultArgs('complete', 'done', '--github'), { env }) }
  }

  it('is 1 for a result that was accepted, and says that it was', async () => {
    const { stage, end } = await broken(({ proxy }) => proxy.pass)
    expect(end.code).toBe(1)
    expect(end.records()).toMatchObject([{ outcome: 'accepted' }])
    expect(errorOf(end).message).toMatch(/^what was asked for is done, but a file of GitHub Actions cannot be written/)
    expect(stage.finals()).toEqual(['completed done'])
  })

  it('is a warning where the command failed: what went wrong first is what counts', async () => {
    const { end } = await broken(() => refusal(422, 'odd'))
    expect(end.code).toBe(7)
    expect(errorOf(end)).toMatchObject({ code: 'odd', exit_code: 7 })
    expect(end.stderr).toMatch(/^warning: a file of GitHub Actions cannot be written/m)
  })

  it('and so where a field was missed', async () => {
    const { env } = step()
    const stage = await deliveryStage()
    stage.proxy.onGets(() => {
      rmSync(env.GITHUB_OUTPUT, { recursive: true, force: true })
      mkdirSync(env.GITHUB_OUTPUT)
      return undefined
    })
    const end = await stage.run(['pending', SESSION, '--field', 'nothing', '--github'], { env })
    expect(end.code).toBe(1)
    expect(end.stderr).toMatch(/warning: a file of GitHub .*error: .*has a field nothing/s)
  })
})

describe('elsewhere than in GitHub Actions', () => {
  it.each([
    ['no variables', {}],
    ['one of them', { GITHUB_OUTPUT: '/dev/null' }],
    ['an empty one', { GITHUB_OUTPUT: '/dev/null', GITHUB_STEP_SUMMARY: '' }],
  ])('it is wrong usage before anything is sent: %s', async (_what, env) => {
    const stage = await deliveryStage()
    const end = await stage.run(resultArgs('complete', 'done', '--github'), { env })
    expect(end).toMatchObject({ code: 2, stdout: '' })
    expect(errorOf(end).message).toContain('--github needs GITHUB_OUTPUT and GITHUB_STEP_SUMMARY')
    expect(end.stderr).not.toContain('::error')
    expect(stage.posts()).toBe(0)
  })

  it.each(['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'])('and so is a pipe that nobody reads, as %s', async (name) => {
    const stage = await deliveryStage()
    const pipe = join(temporaryFolder(), 'pipe')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    const end = await stage.run(resultArgs('complete', 'done', '--github'), { env: { ...step().env, [name]: pipe } })
    expect(end.code).toBe(2)
    expect(errorOf(end).message).toContain('pipe is not a regular file')
    expect(stage.posts()).toBe(0)
  })

  test('and so is a file that cannot be written', async () => {
    const stage = await deliveryStage()
    const { env } = step()
    const GITHUB_OUTPUT = join(temporaryFolder(), 'no', 'such')
    const end = await stage.run(resultArgs('complete', 'done', '--github'), { env: { ...env, GITHUB_OUTPUT } })
    expect(end.code).toBe(2)
    expect(errorOf(end).hint).toBe('Check GITHUB_OUTPUT and GITHUB_STEP_SUMMARY.')
    expect(stage.posts()).toBe(0)
  })
})
