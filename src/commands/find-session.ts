import { HermError } from '../errors.ts'
import type { Workspace } from './workspace.ts'

/**
 * The session of a tool call: the one that was named; else the one where the journal saw the call; else the default of
 * environment or profile. Throws `usage` when the journal saw it in several, or when nothing tells it, and `failed` when what
 * would tell it cannot be read.
 */
export async function findSession(
  { journal, settings, session }: Workspace,
  { toolUseId, session: named }: { toolUseId: string; session: string | undefined },
): Promise<string> {
  if (named !== undefined) return named
  const { isWithin } = await import('../store/which-entries.ts')
  const { baseUrl, session: byDefault } = await settings()
  const { entries, problems } = await (await journal()).findByToolUseId(toolUseId)
  const seenIn = entries.filter((entry) => isWithin(entry, { baseUrl: baseUrl.value })).map((entry) => entry.sessionId)
  const [only] = seenIn
  if (seenIn.length === 1 && only !== undefined) return only
  if (byDefault !== undefined && (seenIn.length === 0 || seenIn.includes(byDefault.value))) return byDefault.value
  const [problem] = problems
  if (problem !== undefined) {
    throw new HermError(
      'failed',
      `the journal of ${toolUseId} cannot be understood: ${problem.reason} (${problem.place})`,
      {
        hint: 'Say with --session where the call was made.',
      },
    )
  }
  if (seenIn.length === 0) return session()
  throw new HermError('usage', `${toolUseId} was seen in several sessions: ${seenIn.join(', ')}`, {
    hint: 'Say which one with --session.',
  })
}
