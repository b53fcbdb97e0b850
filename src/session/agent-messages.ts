import { agentMessage } from '../protocol/agent-message.ts'
import type { Envelope } from '../protocol/envelope.ts'

export interface AgentMessages {
  add(envelope: Envelope): void
  /** The messages one below the other; empty for none. */
  text(): string
  /** The events that the text is of. */
  eventIds(): string[]
}

/**
 * Puts together what an agent says in one turn, from its events in order. An event that comes again has grown: it keeps its
 * place, and its latest text counts.
 */
export function createAgentMessages(): AgentMessages {
  const wholes = new Map<EventKey, string>()
  /** Of the message that is not whole yet. */
  const parts = new Map<EventKey, string>()

  return {
    add(envelope) {
      const message = agentMessage(envelope)
      if (message === undefined) return
      const key = envelope.id ?? Symbol('an event without an id')
      if (message.isPart) {
        parts.set(key, message.text)
      } else {
        wholes.set(key, message.text)
        parts.clear()
      }
    },
    // A turn may end in the middle of a message.
    text: () => [...wholes.values(), [...parts.values()].join('')].filter((text) => text !== '').join('\n'),
    eventIds: () => [...wholes.keys(), ...parts.keys()].filter((key) => typeof key === 'string'),
  }
}

/** The id of the event; one that has none is an event of its own. */
type EventKey = string | symbol
