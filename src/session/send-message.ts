import type { HermClient } from '../client/herm-client.ts'
import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { UserEvent } from '../protocol/user-events.ts'
import { interruptedWhile } from './interruption.ts'

/**
 * Posts a message once, and gives the id of its event where the service tells it. Throws what the service refused, and
 * `unknown` when the answer was lost: a message sent twice starts two turns, so it is for the user to look first.
 * When the signal ends the request, its reason says whether the message may have been accepted.
 */
export async function sendMessage(options: {
  client: HermClient
  sessionId: string
  message: UserEvent
  signal: AbortSignal
}): Promise<string | undefined> {
  const { client, sessionId, message, signal } = options
  const outcome = await client.postEvents(sessionId, [message], { signal })
  switch (outcome.kind) {
    case 'accepted':
      return outcome.events.find(({ envelope }) => envelope.type === message.type)?.envelope.id
    case 'unknown': {
      const hint = `Look before you send it again: herm-tools events ${shellWord(sessionId)} --type user.message --last 1`
      if (signal.aborted) throw interruptedWhile(signal.reason, { open: 'the message may have been accepted', hint })
      throw new HermError('unknown', outcome.error.message, { hint, cause: outcome.error })
    }
    case 'rejected':
      if (outcome.error.serviceCode !== 'invalid_state') throw outcome.error
      throw new HermError('rejected', outcome.error.message, {
        hint: `A turn is running: herm-tools wait ${shellWord(sessionId)}`,
        serviceCode: outcome.error.serviceCode,
        status: outcome.error.status,
        cause: outcome.error,
      })
  }
}
