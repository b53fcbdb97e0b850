import type { HermClient } from '../client/herm-client.ts'
import { HermError } from '../errors.ts'
import type { Envelope } from '../protocol/envelope.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { DrivingEvent } from '../protocol/user-events.ts'
import { interruptedWhile } from './interruption.ts'

/**
 * Posts an event once, and gives it as the service accepted it, where the answer tells. Throws what the service refused,
 * and `unknown` when the answer was lost: a message sent twice starts two turns, so it is for the user to look first.
 * When the signal ends the request, its reason says whether the event may have been accepted.
 */
export async function sendEvent(options: {
  client: HermClient
  sessionId: string
  event: DrivingEvent
  signal: AbortSignal
}): Promise<Envelope | undefined> {
  const { client, sessionId, event, signal } = options
  const outcome = await client.postEvents(sessionId, [event], { signal })
  switch (outcome.kind) {
    case 'accepted':
      return outcome.events.find(({ envelope }) => envelope.type === event.type)?.envelope
    case 'unknown': {
      const left = mayHaveLanded(sessionId, event)
      if (signal.aborted) throw interruptedWhile(signal.reason, left)
      throw new HermError('unknown', outcome.error.message, { hint: left.hint, cause: outcome.error })
    }
    case 'rejected': {
      signal.throwIfAborted()
      const { message, serviceCode, status } = outcome.error
      if (serviceCode !== 'invalid_state' && serviceCode !== 'no_active_turn') throw outcome.error
      const hint = wrongMoment[event.type](shellWord(sessionId))
      throw new HermError('rejected', message, { hint, serviceCode, status, cause: outcome.error })
    }
  }
}

/** What an event without an answer leaves open, and how to look. */
export function mayHaveLanded(sessionId: string, { type }: DrivingEvent): { open: string; hint: string } {
  return {
    open: `the ${type.replace('user.', '')} may have been accepted`,
    hint: `Look before you send it again: herm-tools events ${shellWord(sessionId)} --type ${type} --last 1`,
  }
}

/** protocol: a message is for an idle session. Assumed: the others are for a turn that runs. */
const wrongMoment: Readonly<Record<DrivingEvent['type'], (session: string) => string>> = {
  'user.message': (session) =>
    `A turn is running. \`herm-tools pending ${session}\` shows whether it waits for you; \`herm-tools wait ${session}\` waits for its end.`,
  'user.steer': noTurn,
  'user.interrupt': noTurn,
}

function noTurn(session: string): string {
  return `No turn is running, as it seems. See the session: herm-tools pending ${session}`
}
