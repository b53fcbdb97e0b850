import type { Scenario } from '../emulator/scenario-shape.ts'
import { HermError } from '../errors.ts'
import { fileReason, openUserFile } from '../user-file.ts'

/** Throws `usage` for a file that cannot be read, the signal's reason, and as parseScenario does. */
export async function readScenario(path: string, signal: AbortSignal): Promise<Scenario> {
  const [{ parseScenario }, { text }] = await Promise.all([
    import('../emulator/scenario.ts'),
    import('node:stream/consumers'),
  ])
  const yaml = await openUserFile(path, signal)
    .then(text)
    .catch((cause) => {
      signal.throwIfAborted()
      throw new HermError('usage', `the scenario ${path} cannot be read: ${fileReason(cause)}`, {
        hint: 'Check the path given to --scenario; without it, a built-in scenario is played.',
        cause,
      })
    })
  return parseScenario(yaml, path)
}
