import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { QuestionOptions } from '../session/ask-agent.ts'
import type { Workspace } from './workspace.ts'

/**
 * Sends a message and prints what the agent answers: a `herm_tools.message` and a `herm_tools.reply`, of which people see the
 * text alone. Throws as askAgent does, and `failed` when the turn ended in an error.
 */
export async function printReply(
  { context, reporter, settings, client, session }: Workspace,
  message: QuestionOptions['message'],
): Promise<void> {
  const [{ askAgent }, { replyRecord }, { sentRecord }, { blockedTeller }, words] = await Promise.all([
    import('../session/ask-agent.ts'),
    import('../output/reply-record.ts'),
    import('../output/sent-record.ts'),
    import('../output/tell-blocked.ts'),
    import('../output/describe-session.ts'),
  ])
  const sessionId = await session()
  const { timeoutMs, settleMs } = await settings()
  const tellBlocked = blockedTeller(reporter)
  const reply = await askAgent({
    client: await client(),
    sessionId,
    message,
    clock: context.clock,
    random: context.random,
    signal: context.signal,
    timeoutMs: timeoutMs.value,
    settleMs: settleMs.value,
    onSettling: (reason) => reporter.waiting(`${reason}; looking for it in the history`),
    onAccepted({ id }) {
      const { json } = sentRecord({ type: message.type, sessionId, eventId: id })
      reporter.print({ json, text: () => undefined })
      const as = id === undefined ? '' : ` as ${id}`
      reporter.waiting(`the message is accepted${as}; waiting for the end of its turn`)
    },
    onState: (state) => tellBlocked(state, sessionId),
    onUpdate(update) {
      const line = words.describeConnection(update)
      if (line !== undefined) reporter.note(line)
    },
  })
  reporter.print(replyRecord(reply, sessionId))
  const failure = words.turnFailure(reply.stopReason)
  if (failure !== undefined) {
    throw new HermError('failed', `the turn ended in an error: ${failure}`, {
      hint: `See it with \`herm-tools events ${shellWord(sessionId)} --last 20\`.`,
    })
  }
}
