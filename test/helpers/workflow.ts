import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { putProgramIn } from './program-in.ts'

/** As much of GitHub Actions as the action and the example use: steps, `with`, `env`, `if: cancelled()`, outputs. */

type Text = Readonly<Record<string, string>>

interface Step {
  readonly id?: string
  readonly name?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Text
  readonly env?: Text
  readonly 'working-directory'?: string
}

interface Action {
  readonly inputs: Readonly<Record<string, { required?: boolean; default?: string }>>
  readonly outputs: Readonly<Record<string, { value: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

export interface StepEnd {
  readonly name: string | undefined
  readonly code: number | null
  readonly output: string
  readonly outputs: Text
}

/** What expressions can name. */
interface Scope {
  readonly inputs: Text
  readonly secrets: Text
  readonly env: Text
  readonly isCancelled: boolean
}

export interface Runner {
  readonly folder: string
  /** With PATH, and what GitHub sets. */
  readonly env: Text
  /** What the steps showed on the page of the run. */
  summary(): string
}

export function readYaml<T>(path: string): T {
  return parse(readFileSync(path, 'utf8'))
}

/** A folder for the job, with `herm-tools`, the built program, on its PATH. */
export function runnerIn(folder: string, env: Text): Runner {
  const bin = join(folder, 'bin')
  const temporary = join(folder, 'tmp')
  for (const path of [bin, temporary]) mkdirSync(path)
  putProgramIn(bin)
  const summary = join(folder, 'summary.md')
  return {
    folder,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: folder,
      XDG_CACHE_HOME: inject('cacheHome'),
      TMPDIR: temporary,
      GITHUB_STEP_SUMMARY: summary,
      ...env,
    },
    summary: () => (existsSync(summary) ? readFileSync(summary, 'utf8') : ''),
  }
}

/** Runs the steps of a job, or of an action, up to one that fails; after a cancellation, those which are for that. */
export async function runSteps(runner: Runner, steps: readonly Step[], scope: Scope): Promise<StepEnd[]> {
  const ends: StepEnd[] = []
  const outputsOf: Record<string, Text> = {}
  for (const step of steps) {
    const isFailed = ends.some(({ code }) => code !== 0)
    const isForNow = step.uses?.startsWith('./') || (step.if === 'cancelled()') === scope.isCancelled
    if (!isForNow || isFailed || step.uses?.startsWith('actions/')) continue
    const value = (text: string) => textWith(text, scope, outputsOf)
    const values = (texts: Text = {}) =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, value(String(text))]))
    const env = { ...scope.env, ...values(step.env) }
    const cwd = resolve(runner.folder, value(step['working-directory'] ?? '.'))
    const done =
      step.uses === undefined
        ? [await runScript(runner, step, { cwd, env })]
        : await runAction(runner, step.uses, { ...scope, env, inputs: values(step.with) })
    ends.push(...done)
    if (step.id !== undefined) outputsOf[step.id] = done.at(-1)?.outputs ?? {}
  }
  return ends
}

/** The steps of an action. The outputs of the last one are those of the action. */
async function runAction(runner: Runner, path: string, scope: Scope): Promise<StepEnd[]> {
  const { inputs, outputs, runs } = readYaml<Action>(join(path, 'action.yml'))
  for (const [name, input] of Object.entries(inputs)) {
    if (input.required && !scope.inputs[name]) throw new Error(`${path} needs ${name}`)
  }
  for (const name of Object.keys(scope.inputs))
    if (inputs[name] === undefined) throw new Error(`${path} has no ${name}`)
  const defaults = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default ?? '']))
  const ends = await runSteps({ ...runner, env: { ...runner.env, GITHUB_ACTION_PATH: resolve(path) } }, runs.steps, {
    ...scope,
    inputs: { ...defaults, ...scope.inputs },
  })
  const outputsOf = Object.fromEntries(
    runs.steps.flatMap(({ id, name }) => (id ? [[id, ends.find((end) => end.name === name)?.outputs ?? {}]] : [])),
  )
  const own = Object.fromEntries(
    Object.entries(outputs).map(([name, { value }]) => [name, textWith(value, scope, outputsOf)]),
  )
  return [...ends.slice(0, -1), ...ends.slice(-1).map((end) => ({ ...end, outputs: own }))]
}

/** A text with its `${{ … }}` put in: names, with `||` between them. */
function textWith(text: string, { inputs, secrets, env }: Scope, outputsOf: Readonly<Record<string, Text>>): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_whole, expression: string) => {
    const values = expression.split(' || ').map((name) => {
      const [, context, key = ''] = /^(inputs|secrets|env|steps)\.([\w.-]+)$/.exec(name) ?? []
      const [step = '', , output = ''] = key.split('.')
      if (context === 'steps') return outputsOf[step]?.[output] ?? ''
      const known = { inputs, secrets, env }[context as 'inputs']
      if (known === undefined) throw new Error(`the test knows no ${name}`)
      return known[key] ?? ''
    })
    return values.find(Boolean) ?? ''
  })
}

async function runScript(
  runner: Runner,
  { name, run = '' }: Step,
  { cwd, env }: { cwd: string; env: Text },
): Promise<StepEnd> {
  if (run.includes('${{')) throw new Error(`an expression in a script lets an input be a command: ${run}`)
  const output = join(runner.folder, `output-${Math.random()}`)
  writeFileSync(output, '')
  const end = await runBash(run, { cwd, env: { ...runner.env, ...env, GITHUB_OUTPUT: output } })
  return { name, ...end, outputs: readOutputs(readFileSync(output, 'utf8')) }
}

export interface BashRun {
  readonly pid: number
  output(): string
  readonly ended: Promise<{ code: number | null; output: string }>
}

/** As GitHub runs it for `shell: bash`; with all that it starts, it is ended with the test. */
export function startBash(script: string, { cwd, env }: { cwd: string; env: Text }): BashRun {
  const child = spawn('/bin/bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('there is no /bin/bash')
  onTestFinished(() => endGroup(pid))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return { pid, output: () => output, ended: once(child, 'close').then(([code]) => ({ code, output })) }
}

export function runBash(script: string, options: { cwd: string; env: Text }) {
  return startBash(script, options).ended
}

/** The file as GitHub reads it. */
export function readOutputs(text: string): Text {
  const outputs: Record<string, string> = {}
  const lines = text.split('\n')
  for (let at = 0; at < lines.length - 1; at++) {
    const [, name = '', delimiter] = /^([\w-]+)<<(.+)$/.exec(lines[at] ?? '') ?? []
    const end = lines.indexOf(delimiter ?? '', at + 1)
    if (delimiter === undefined || end === -1) throw new Error(`no output: ${lines[at]}`)
    outputs[name] = lines.slice(at + 1, end).join('\n')
    at = end
  }
  return outputs
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
