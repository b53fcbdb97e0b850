import { runHere } from './run-here.ts'
import { startTool, type ToolEnd, type ToolOptions, type ToolRun } from './run-tool.ts'
import { type ScriptedSession, type SessionScript, scriptedSession } from './scripted-session.ts'
import { type ToolHome, toolHome } from './tool-home.ts'

export const API_KEY = 'prism_sk_0123456789abcdef'

export interface AtSession {
  readonly home: ToolHome
  start(args: readonly string[], options?: ToolOptions): ToolRun
  /** Runs the built program to its end. */
  run(args: readonly string[], options?: ToolOptions): Promise<ToolEnd>
  /** The same in the test's own process. */
  runHere(args: readonly string[], options?: Pick<ToolOptions, 'env' | 'stdin'>): Promise<ToolEnd>
}

/** A home of the tool's own, and an environment that names the service, a key, and the session. */
export function atSession({ url, sessionId }: { url: string; sessionId: string }): AtSession {
  const home = toolHome()
  const env = { ...home.env, PRISM_API_KEY: API_KEY, HERM_BASE_URL: url, HERM_SESSION: sessionId }
  const start = (args: readonly string[], options: ToolOptions = {}) =>
    startTool(args, { ...options, env: { ...env, ...options.env } })
  return {
    home,
    start,
    run: (args, options) => start(args, options).ended,
    runHere: (args, options = {}) => runHere(args, { ...options, env: { ...env, ...options.env } }),
  }
}

/** The same, with a service of one session that behaves as the script says. */
export async function atScriptedSession(script: SessionScript = {}): Promise<AtSession & { server: ScriptedSession }> {
  const server = await scriptedSession(script)
  return { server, ...atSession(server) }
}
