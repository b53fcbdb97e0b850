import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { CallState } from '../protocol/tool-call.ts'
import { choose, mayChoose } from './choose.ts'
import { findSession } from './find-session.ts'
import type { GlobalOptions, Workspace } from './workspace.ts'

export interface CallInput extends Pick<GlobalOptions, 'json'> {
  readonly toolUseId?: string | undefined
  readonly session?: string | undefined
}

export interface NamedCall {
  readonly sessionId: string
  readonly toolUseId: string
}

/** Throws `usage` when no call is named and nobody can be asked for one; to be called before anything else is read. */
export function assertCallNamed(context: Context, input: CallInput, hint?: string): void {
  if (input.toolUseId !== undefined || mayChoose(context, input)) return
  throw new HermError('usage', "required option '--tool-use-id <id>' not specified", {
    hint: hint ?? '`herm-tools pending` lists the calls that are not done.',
  })
}

/**
 * The call that the user means and its session; where none is named, a person chooses among those of the session that are
 * in one of the states. Throws as findSession does, and `not_found` when there is nothing to choose from.
 */
export async function namedCall(
  workspace: Workspace,
  input: CallInput,
  states: readonly CallState[],
): Promise<NamedCall> {
  const { toolUseId } = input
  if (toolUseId !== undefined) {
    return { toolUseId, sessionId: await findSession(workspace, { toolUseId, session: input.session }) }
  }
  assertCallNamed(workspace.context, input)
  const sessionId = await workspace.session()
  return { sessionId, toolUseId: await chooseCall(workspace, { sessionId, states }) }
}

async function chooseCall(
  workspace: Workspace,
  { sessionId, states }: { sessionId: string; states: readonly CallState[] },
): Promise<string> {
  const { context } = workspace
  const [{ readSessionState }, { callChoices }] = await Promise.all([
    import('../session/read-history.ts'),
    import('../output/call-choices.ts'),
  ])
  const client = await workspace.client()
  const { calls } = await readSessionState({ client, sessionId, signal: context.signal })
  const candidates = [...calls.values()].filter(({ state }) => states.includes(state))
  if (candidates.length === 0) {
    const sought = states.map((state) => words[state] ?? state).join(' or ')
    throw new HermError('not_found', `session ${sessionId} has no call that is ${sought}`, {
      hint: `See what it asks for with \`herm-tools pending ${shellWord(sessionId)}\`, or name the call with --tool-use-id.`,
    })
  }
  return choose(workspace, { question: 'Which call?', choices: callChoices(candidates, client.serviceNow()) })
}

const words: Readonly<Partial<Record<CallState, string>>> = {
  waiting: 'waiting for its answer',
  awaiting_approval: 'awaiting approval',
}
