import { type Runs, runsIn } from './runs-in.ts'
import { type ScriptedSession, type SessionScript, scriptedSession } from './scripted-session.ts'
import { type ToolHome, toolHome } from './tool-home.ts'

export const API_KEY = 'prism_sk_0123456789abcdef'

export interface AtSession extends Runs {
  readonly home: ToolHome
  readonly env: Readonly<Record<string, string>>
}

/** A home of the tool's own, and an environment that names the service, a key, and the session. */
export function atSession({ url, sessionId }: { url: string; sessionId: string }): AtSession {
  const home = toolHome()
  const env = { ...home.env, PRISM_API_KEY: API_KEY, HERM_BASE_URL: url, HERM_SESSION: sessionId }
  return { home, env, ...runsIn(env) }
}

/** The same, with a service of one session that behaves as the script says. */
export async function atScriptedSession(script: SessionScript = {}): Promise<AtSession & { server: ScriptedSession }> {
  const server = await scriptedSession(script)
  return { server, ...atSession(server) }
}
