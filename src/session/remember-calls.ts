import { HermError } from '../errors.ts'
import type { ToolCall } from '../protocol/tool-call.ts'
import type { Journal, SessionKey } from '../store/journal.ts'

/**
 * Lets the journal know the session of these calls, so that a later command need not name it. A convenience: a state
 * folder that cannot be written is told to `onFailure`, and is no reason to stop.
 */
export async function rememberCalls(
  calls: readonly ToolCall[],
  { journal, session, onFailure }: { journal: Journal; session: SessionKey; onFailure: (message: string) => void },
): Promise<void> {
  try {
    for (const { toolUseId, name } of calls) {
      const key = { ...session, toolUseId }
      if ((await journal.read(key)) === undefined)
        await journal.update(key, () => (name === '' ? {} : { toolName: name }))
    }
  } catch (error) {
    if (!(error instanceof HermError)) throw error
    onFailure(`the calls seen were not remembered: ${error.message}`)
  }
}
