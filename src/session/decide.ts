import { HermError } from '../errors.ts'
import type { SessionState } from '../protocol/session-fold.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { type CallResult, isFinal, type ToolCall } from '../protocol/tool-call.ts'
import type { Delivery, SendAs } from './delivery.ts'
import { as } from './standing-result.ts'

/** What to do with a result, given the state of the session at one instant. */
export type Decision =
  | { do: 'send'; as: SendAs; warning?: string }
  | { do: 'wait' }
  /** History does not show the call; it may be listed late. */
  | { do: 'look_again' }
  /** A result stands there already: this same one, or another one that it is in conflict with. */
  | { do: 'adopt'; result: CallResult }
  | { do: 'refuse'; error: HermError }

/** Pure: the rules of the protocol about which result may be sent when. */
export function decide(state: SessionState, delivery: Delivery): Decision {
  const call = state.calls.get(delivery.key.toolUseId)
  if (delivery.status === 'running') return call === undefined ? { do: 'look_again' } : decideKickoff(call, delivery)
  if (call === undefined) return delivery.force ? whenIdle(state) : { do: 'look_again' }
  return decideFinal(state, call, delivery)
}

function decideKickoff(call: ToolCall, delivery: Delivery): Decision {
  const { result } = call
  if (result !== undefined && (isFinal(result) || result.digest === delivery.digest)) return { do: 'adopt', result }
  switch (call.state) {
    case 'waiting':
      return { do: 'send', as: 'kickoff' }
    case 'approved':
      return { do: 'wait' }
    case 'expired':
      return {
        do: 'send',
        as: 'kickoff',
        warning: `the turn ${call.turnSince === 'ended' ? 'ended' : 'went on'} without an answer to ${call.toolUseId}; the kickoff is sent all the same, since a final replaces it`,
      }
    case 'running':
      return refuse('rejected', `a kickoff with another text is already recorded for ${call.toolUseId}${as(result)}`, {
        hint: `Send its final with \`herm-tools complete --tool-use-id ${shellWord(call.toolUseId)}\`.`,
      })
    default:
      return refuseUnanswerable(call)
  }
}

function decideFinal(state: SessionState, call: ToolCall, delivery: Delivery): Decision {
  const finals = call.results.filter(isFinal)
  const standing = finals.find(({ digest }) => digest === delivery.digest) ?? finals.at(-1)
  if (standing !== undefined && !delivery.force) return { do: 'adopt', result: standing }
  if (call.state === 'waiting') return { do: 'send', as: 'immediate' }
  if (isNeverCalled(call)) return refuseUnanswerable(call)
  return whenIdle(state)
}

/** protocol: a final is accepted only while the session is idle. */
function whenIdle(state: SessionState): Decision {
  return state.turn.state === 'idle' ? { do: 'send', as: 'final' } : { do: 'wait' }
}

/** Not yet, at least. */
function isNeverCalled({ state }: ToolCall): boolean {
  return state === 'awaiting_approval' || state === 'denied' || state === 'withdrawn'
}

function refuseUnanswerable({ state, toolUseId, turnSince, result }: ToolCall): Decision {
  if (state === 'awaiting_approval') {
    return refuse('rejected', `${toolUseId} waits for an approval and has not been called yet`, {
      hint: `Let it be called with \`herm-tools approve --tool-use-id ${shellWord(toolUseId)}\`, or deny it.`,
    })
  }
  if (state === 'withdrawn') {
    const since = turnSince === 'ended' ? 'ended' : 'went on'
    return refuse('rejected', `${toolUseId} was never called: its turn ${since} while it awaited approval`)
  }
  if (state === 'denied') return refuse('rejected', `${toolUseId} was denied and will not be called`)
  return refuse('rejected', `${toolUseId} no longer waits for an answer: it is ${state}${as(result)}`)
}

function refuse(kind: 'rejected', message: string, details: { hint?: string } = {}): Decision {
  return { do: 'refuse', error: new HermError(kind, message, details) }
}
