import type { Scenario } from '../emulator/scenario-shape.ts'
import { HermError } from '../errors.ts'
import { fileReason } from '../file-reason.ts'

/** Throws `usage` for a file that cannot be read, and as parseScenario does. */
export async function readScenario(path: string): Promise<Scenario> {
  const [{ parseScenario }, { readFile }] = await Promise.all([
    import('../emulator/scenario.ts'),
    import('node:fs/promises'),
  ])
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new HermError('usage', `the scenario ${path} cannot be read: ${fileReason(cause)}`, {
      hint: 'Check the path given to --scenario; without it, a built-in scenario is played.',
      cause,
    })
  })
  return parseScenario(text, path)
}
