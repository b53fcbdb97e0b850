import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { CALL, type DeliveryStage, deliveryStage, SESSION } from './helpers/delivery-stage.ts'
import { temporaryFolder } from './helpers/temporary-folder.ts'
import { type Runner, readYaml, runBash, runnerIn, runSteps, startBash } from './helpers/workflow.ts'

const SCRIPT = resolve('examples/complete.sh')

/** A call that waits for its answer, and a folder where a job can answer it. */
async function job(): Promise<{ stage: DeliveryStage; runner: Runner; left: () => string[] }> {
  const stage = await deliveryStage()
  const folder = temporaryFolder()
  const runner = runnerIn(folder, { ...stage.env, HERM_SESSION: SESSION, TOOL_USE_ID: CALL })
  return { stage, runner, left: () => readdirSync(join(folder, 'tmp')) }
}

/** The same 200,000 random bytes for the same seed. */
function noise(seed: number): Uint8Array {
  let state = seed
  return Uint8Array.from({ length: 200_000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}

function write(runner: Runner, name: string, text: string): void {
  writeFileSync(join(runner.folder, name), text, { mode: 0o755 })
}

describe('examples/complete.sh', () => {
  const complete = ({ folder, env }: Runner, command: string, more = {}) =>
    runBash(`'${SCRIPT}' ${command}`, { cwd: folder, env: { ...env, ...more } })

  test('delivers the output of a command, and leaves nothing behind', async () => {
    const { stage, runner, left } = await job()
    const end = await complete(runner, `sh -c 'echo "Rendered: $1"; echo "in 2 s" >&2' - boat.mp4`)
    expect(end.code, end.output).toBe(0)
    expect(end.output).toContain('Rendered: boat.mp4\n')
    expect(stage.finals()).toEqual(['completed Rendered: boat.mp4\nin 2 s\n'])
    expect(left()).toEqual([])
  })

  test('delivers a failure with the exit status, which is its own too', async () => {
    const { stage, runner, left } = await job()
    const end = await complete(runner, `sh -c 'echo "no such film"; exit 9'`)
    expect(end.code, end.output).toBe(9)
    expect(stage.finals()).toEqual(['failed It failed with exit status 9. The end of its output:\n\nno such film\n'])
    expect(left()).toEqual([])
  })

  test('says that there was no output', async () => {
    const { stage, runner } = await job()
    expect((await complete(runner, 'true')).code).toBe(0)
    expect(stage.finals()).toEqual(['completed It is done, and printed nothing.\n'])
  })

  test('takes the end of a long output, and of bytes that are no text what is text', async () => {
    const { stage, runner } = await job()
    const command = `const x = Buffer.from("ü".repeat(40_000) + "!"); process.stdout.write(x); process.stdout.write(Buffer.from([255, 46]))`
    expect((await complete(runner, `'${process.execPath}' -e '${command}'`)).code).toBe(0)
    expect(stage.finals()).toEqual([`completed ${'ü'.repeat(24_998)}!.`])
  })

  test.each([
    ['random bytes', noise(1)],
    ['others', noise(2)],
    ['code points beyond Unicode, halves of pairs and NULs', Buffer.from('a\xf4\x90\x80\x80\xed\xa0\x80\0b', 'latin1')],
  ])('delivers what is text in %s', async (_what, bytes) => {
    const { stage, runner } = await job()
    writeFileSync(join(runner.folder, 'film'), bytes)
    const end = await complete(runner, 'cat film')
    expect(end.code, end.output).toBe(0)
    const [final] = stage.finals()
    if (bytes.length < 100) expect(final).toBe('completed ab')
    else expect(final?.length).toBeGreaterThan(10_000)
  })

  test('leaves no call as running when it is ended before the command', async () => {
    const { stage, runner } = await job()
    // Terminates the script when the agent has been told that the work has begun, before the script knows that.
    const tool = readFileSync(join(runner.folder, 'bin/herm-tools'), 'utf8').replace(/^exec /m, '')
    write(runner, 'bin/herm-tools', `${tool}end=$?\nif [ "$1" = running ]; then kill "$PPID"; fi\nexit $end\n`)
    const end = await complete(runner, 'touch worked')
    expect(end.code, end.output).toBe(143)
    expect(stage.finals()).toEqual([expect.stringMatching(/^failed It failed with exit status 143/)])
    expect(readdirSync(runner.folder)).not.toContain('worked')
  })

  test('keeps the key from the command', async () => {
    const { stage, runner } = await job()
    await complete(runner, `sh -c 'echo "key: $(printenv PRISM_API_KEY)"'`, { PRISM_API_KEY: 'prism_sk_0123456789' })
    expect(stage.finals()).toEqual(['completed key: \n'])
  })

  test('does no work for a call that there is not', async () => {
    const { runner } = await job()
    const end = await complete(runner, 'touch worked', { TOOL_USE_ID: 'custom_toolu_wrong' })
    expect(end.code, end.output).toBe(5)
    expect(readdirSync(runner.folder)).not.toContain('worked')
    expect((await complete(runner, 'touch worked', { TOOL_USE_ID: '' })).output).toContain('names the call to answer')
  })

  test('does not do the work again for a call that has its final, and says how that ended', async () => {
    const { stage, runner } = await job()
    expect((await complete(runner, 'echo done')).code).toBe(0)
    const again = await complete(runner, 'touch worked')
    expect(again.code, again.output).toBe(0)
    expect(again.output).toContain('The call is completed already; nothing is done again.\n')
    const elsewhere = await complete(runner, 'touch worked', { HERM_TOOLS_STATE_DIR: join(runner.folder, 'other') })
    expect(elsewhere.code, elsewhere.output).toBe(0)
    expect(stage.finals()).toEqual(['completed done\n'])

    const failed = await job()
    await complete(failed.runner, 'false')
    const failedAgain = await complete(failed.runner, 'touch worked')
    expect(failedAgain.code, failedAgain.output).toBe(7)
    expect(failedAgain.output).toContain('The call has failed already; nothing is done again.\n')
    for (const { folder } of [runner, failed.runner]) expect(readdirSync(folder)).not.toContain('worked')
  })

  test('keeps a result that it cannot deliver, and says how to', async () => {
    const { stage, runner } = await job()
    const end = await complete(
      runner,
      `sh -c 'herm-tools complete --tool-use-id "$TOOL_USE_ID" --text "Another." >&2; echo Mine.'`,
    )
    expect(end.code, end.output).toBe(3)
    const [, path = ''] =
      /The result is kept: herm-tools complete --tool-use-id \S+ --file (\S+)/.exec(end.output) ?? []
    expect(readFileSync(path, 'utf8')).toContain('Mine.\n')
    expect(stage.finals()).toEqual(['completed Another.'])
  })

  test('ends the command with all that it started when it is terminated, and tells the agent', async () => {
    const { stage, runner } = await job()
    const run = startBash(`exec '${SCRIPT}' sh -c 'echo begun; sleep 1000 & echo $! >pid; wait'`, {
      cwd: runner.folder,
      env: runner.env,
    })
    await expect.poll(run.output, { timeout: 20_000 }).toContain('begun')
    process.kill(run.pid, 'SIGTERM')
    const end = await run.ended
    expect(end.code, end.output).toBe(143)
    expect(stage.finals()).toEqual(['failed It failed with exit status 143. The end of its output:\n\nbegun\n'])
    const sleeper = readFileSync(join(runner.folder, 'pid'), 'utf8').trim()
    // Gone, or dead and not yet asked about by its parent.
    expect(spawnSync('ps', ['-o', 'stat=', '-p', sleeper], { encoding: 'utf8' }).stdout).toMatch(/^$|^Z/)
  })
})

describe('examples/github-workflow.yml, with the action', () => {
  const { jobs } = readYaml<{ jobs: { render: { steps: Parameters<typeof runSteps>[1] } } }>(
    'examples/github-workflow.yml',
  )

  function run(runner: Runner, title: string, { isCancelled = false } = {}) {
    const inputs = { session: SESSION, tool_use_id: CALL, title }
    const secrets = { PRISM_API_KEY: 'prism_sk_0123456789abcdef' }
    const env = { HERM_BASE_URL: runner.env.HERM_BASE_URL ?? '' }
    return runSteps(runner, jobs.render.steps, { inputs, secrets, env, isCancelled })
  }

  it('answers the call with what the command printed, and tells later steps the event', async () => {
    const { stage, runner, left } = await job()
    const { HERM_SESSION: _, TOOL_USE_ID: __, ...env } = runner.env
    write(runner, 'render.sh', '#!/bin/sh\necho "Rendered: $1, key: $(printenv PRISM_API_KEY)"')
    const ends = await run({ ...runner, env }, 'Boat')
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(stage.finals()).toEqual(['completed Rendered: Boat, key: \n'])
    expect(ends[1]?.outputs).toEqual({ outcome: 'accepted', status: 'completed', 'event-id': stage.resultId() })
    expect(ends[2]?.output).toBe(`The agent was told in event ${stage.resultId()}.\n`)
    expect(runner.summary()).toContain('### herm_tools.result\n')
    expect(left()).toEqual([])
  })

  it('takes an input for a text, whatever stands in it', async () => {
    const { stage, runner } = await job()
    write(runner, 'render.sh', '#!/bin/sh\nprintf "%s\\n" "$1"')
    const title = `"; touch worse; $(touch worse) \`touch worse\` 'x' \${{ secrets.PRISM_API_KEY }}`
    await run(runner, title)
    expect(stage.finals()).toEqual([`completed ${title}\n`])
    expect(readdirSync(runner.folder)).not.toContain('worse')
  })

  it('fails with a command that fails', async () => {
    const { stage, runner } = await job()
    write(runner, 'render.sh', '#!/bin/sh\necho "out of memory"\nexit 7')
    const ends = await run(runner, 'Boat')
    expect(ends.map(({ code }) => code)).toEqual([0, 7])
    expect(ends[1]?.outputs).toMatchObject({ status: 'failed', 'event-id': stage.resultId() })
    expect(stage.finals()).toEqual([
      expect.stringMatching(/^failed It failed with exit status 7\..*\n\nout of memory\n$/),
    ])
  })

  it('tells the agent of a cancellation, unless the call has its result', async () => {
    const { stage, runner } = await job()
    for (let runs = 0; runs < 2; runs++) {
      expect((await run(runner, 'Boat', { isCancelled: true })).map(({ code }) => code)).toEqual([0])
    }
    expect(stage.finals()).toEqual(['failed The job was cancelled.'])

    const other = await job()
    write(other.runner, 'render.sh', '#!/bin/sh\necho done')
    await run(other.runner, 'Boat')
    expect((await run(other.runner, 'Boat', { isCancelled: true })).map(({ code }) => code)).toEqual([0])
    expect(other.stage.finals()).toEqual(['completed done\n'])
  })

  it('installs the package that is named where there is no herm-tools, and none from npm or by itself', async () => {
    const folder = temporaryFolder()
    const bin = join(folder, 'only')
    mkdirSync(bin)
    writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho "npm $*"', { mode: 0o755 })
    const runner = { folder, env: { PATH: bin }, summary: () => '' }
    const { runs } = readYaml<{ runs: { steps: Parameters<typeof runSteps>[1] } }>('action/action.yml')
    const install = (named: string) =>
      runSteps(runner, runs.steps.slice(0, 1), { inputs: { package: named }, secrets: {}, env: {}, isCancelled: false })
    expect(await install('./a.tgz')).toMatchObject([{ code: 0, output: 'npm install --global ./a.tgz\n' }])
    expect(await install('')).toMatchObject([{ code: 1, output: expect.stringContaining('::error::There is no') }])
    for (const public_ of ['herm-tools', 'herm-tools@0.1.0', '0.1.0']) {
      expect(await install(public_)).toMatchObject([{ code: 1, output: expect.stringContaining('is not on npm') }])
    }
  })
})

describe('examples/gitlab-ci.yml', () => {
  const { render } = readYaml<{ render: Record<'before_script' | 'script' | 'after_script', string[]> }>(
    'examples/gitlab-ci.yml',
  )

  it('answers the call, and tells the agent of a cancellation', async () => {
    const { stage, runner } = await job()
    mkdirSync(join(runner.folder, 'examples'))
    write(runner, 'examples/complete.sh', readFileSync(SCRIPT, 'utf8'))
    write(runner, 'render.sh', '#!/bin/sh\necho "Rendered: $1"')
    const run = (lines: string[], more = {}) =>
      runBash(lines.join('\n'), { cwd: runner.folder, env: { ...runner.env, TITLE: 'A boat', ...more } })
    const end = await run([...render.before_script, ...render.script])
    expect(end.code, end.output).toBe(0)
    expect(stage.finals()).toEqual(['completed Rendered: A boat\n'])
    expect((await run(render.after_script, { CI_JOB_STATUS: 'canceled' })).code).toBe(0)
    expect((await run(render.after_script, { CI_JOB_STATUS: 'success' })).output).toBe('')
    expect(stage.finals()).toHaveLength(1)

    const other = await job()
    await runBash(render.after_script.join('\n'), {
      cwd: other.runner.folder,
      env: { ...other.runner.env, CI_JOB_STATUS: 'canceled' },
    })
    expect(other.stage.finals()).toEqual(['failed The job was cancelled.'])
  })
})
