import { agentMessage } from '../protocol/agent-message.ts'
import type { Envelope } from '../protocol/envelope.ts'

export interface AgentMessages {
  add(envelope: Envelope): void
  /** The messages one below the other; empty for none. */
  text(): string
  /** The events that the text is of. */
  eventIds(): string[]
}

/** Puts together what an agent says in one turn, from its events in order. */
export function createAgentMessages(): AgentMessages {
  const wholes: { id: string | undefined; text: string }[] = []
  /** Of the message that is not whole yet, by event id: a part may be sent again as it grows. */
  const parts = new Map<string, string>()

  return {
    add(envelope) {
      const message = agentMessage(envelope)
      if (message === undefined) return
      if (message.isPart) {
        parts.set(envelope.id ?? `part ${parts.size}`, message.text)
      } else {
        wholes.push({ id: envelope.id, text: message.text })
        parts.clear()
      }
    },
    text() {
      const texts = wholes.map(({ text }) => text)
      // A turn may end in the middle of a message.
      return [...texts, [...parts.values()].join('')].filter((text) => text !== '').join('\n')
    },
    eventIds: () => [...wholes.flatMap(({ id }) => id ?? []), ...parts.keys()],
  }
}
