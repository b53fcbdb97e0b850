import type { Context } from '../context.ts'
import type { Reporter } from '../output/reporter.ts'
import type { GlobalOptions } from './workspace.ts'

/** Where a command prints, and what there is to do once it has. */
export interface MadeReporter {
  readonly reporter: Reporter
  /** With `--field`: throws `failed` when nothing had the field. To be called when the command has gone well. */
  readonly checkField?: (() => void) | undefined
  /**
   * With `--github`: to be called once, whatever the end. When they cannot be written, throws `failed` after a command that
   * is done, and warns after another.
   */
  readonly writeFiles?: ((isDone: boolean) => void) | undefined
}

/** The reporter that the global options ask for. Throws `usage` for `--github` elsewhere than in GitHub Actions. */
export async function makeReporter(context: Context, options: GlobalOptions): Promise<MadeReporter> {
  const [{ createReporter }, { wordWrap }] = await Promise.all([
    import('../output/create-reporter.ts'),
    import('../output/word-wrap.ts'),
  ])
  const plain = createReporter({
    stdout: context.stdout,
    stderr: context.stderr,
    env: context.env,
    json: options.json === true || options.field !== undefined,
    quiet: options.quiet ?? false,
    color: options.color ?? true,
    clock: context.clock,
    wrap: { stdout: await wordWrap(context.stdout), stderr: await wordWrap(context.stderr) },
    harmless: options.github ? (await import('../output/github-log.ts')).harmlessInLog : undefined,
  })
  const field = options.field && (await withField(plain, options.field, context))
  const github = options.github ? await withGithub(field ?? plain, context) : undefined
  return { reporter: github ?? field ?? plain, checkField: field?.checkFound, writeFiles: github?.writeFiles }
}

async function withField(reporter: Reporter, path: readonly string[], { stdout }: Context) {
  const { fieldReporter } = await import('../output/field-reporter.ts')
  return fieldReporter(reporter, { path, isTerminal: stdout.isTTY })
}

async function withGithub(reporter: Reporter, { env }: Context) {
  const { githubReporter } = await import('../output/github-reporter.ts')
  return githubReporter(reporter, env)
}
