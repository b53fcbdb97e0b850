import { runHere } from './run-here.ts'
import { startTool, type ToolEnd, type ToolOptions, type ToolRun } from './run-tool.ts'

/** The ways to run the program in an environment; `env` of a single run is added to it. */
export interface Runs {
  start(args: readonly string[], options?: ToolOptions): ToolRun
  /** Runs the built program to its end. */
  run(args: readonly string[], options?: ToolOptions): Promise<ToolEnd>
  /** The same in the test's own process. */
  runHere(args: readonly string[], options?: Pick<ToolOptions, 'env' | 'stdin'>): Promise<ToolEnd>
}

export function runsIn(env: Readonly<Record<string, string>>): Runs {
  const within = (options: ToolOptions = {}) => ({ ...options, env: { ...env, ...options.env } })
  return {
    start: (args, options) => startTool(args, within(options)),
    run: (args, options) => startTool(args, within(options)).ended,
    runHere: (args, options) => runHere(args, within(options)),
  }
}
