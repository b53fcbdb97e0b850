import type { Printable } from './reporter.ts'
import { topicText } from './topic-text.ts'

/** `help protocol`: how the call of a custom tool goes, as far as whoever answers it must know; `width` in columns. */
export function protocolHelp(width: number): Printable[] {
  return topicText(PROTOCOL, { topic: 'protocol', width })
}

const PROTOCOL = `An agent calls one of your tools, and waits. You answer in one of two ways.

The work is done within about five minutes:
1. The call appears in the session (agent.custom_tool_use), with a tool-use id. The turn of the agent is blocked.
2. You send the result: herm-tools complete or herm-tools fail. The same turn goes on with it.

The work takes longer:
1. The call appears, and the turn is blocked, as above.
2. You send a kickoff: herm-tools running. It says that the work has begun; the turn goes on and comes to its end.
3. When the work is done you send the final: herm-tools complete or herm-tools fail, with the same id. The service takes it only while the session is idle, so herm-tools waits for that.
4. The final takes the place of the kickoff in the history, under the same event id, and starts a new turn in which the agent reads it.

Five minutes: without an answer by then, the turn goes on without one. The result can still be sent, as a final.

Idle: a session is idle when its turn has ended (end_turn or error). A session that reports requires_action has not come to rest: its turn is blocked until a call is answered, or an approval is given. No final is taken then, nor while a turn runs (409 invalid_state).

Approval: a tool may need the consent of a person before each call (agent.approval_request). You answer with herm-tools approve or herm-tools deny; the call itself comes after an approval.

What must not be sent twice: a final. The service takes a second one for another result, and starts another turn; one with a wrong id starts a turn as well. The same holds for a message. After a lost answer, look before you send again: herm-tools complete and fail do so by themselves when they are run again, and herm-tools reconcile only looks.

What may be done again at any time: reading. watch, events, pending, wait and reconcile send nothing to the session.`
