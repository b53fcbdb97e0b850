import type { HermClient, NewSession } from '../client/herm-client.ts'
import { HermError } from '../errors.ts'
import type { RawSession } from '../protocol/session.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { interruptedWhile } from './interruption.ts'

/** Throws what the service refused, and `unknown` when a session may have been made; it is never asked for twice. */
export async function createSession(
  { client, signal }: { client: HermClient; signal: AbortSignal },
  { agentId, ...body }: NewSession & { agentId: string },
): Promise<RawSession> {
  const outcome = await client.createSession(agentId, body, { signal })
  if (outcome.kind === 'accepted') return outcome
  if (outcome.kind === 'rejected') {
    signal.throwIfAborted()
    throw outcome.error
  }
  const hint = `Look for it with \`herm-tools sessions list --agent ${shellWord(agentId)}\` before you create another.`
  if (signal.aborted) throw interruptedWhile(signal.reason, { open: 'a session may have been created', hint })
  const { message, status, serviceCode, cause } = outcome.error
  throw new HermError('unknown', message, { hint, status, serviceCode, cause })
}
