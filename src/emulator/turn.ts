import { textBlocks } from '../protocol/text-blocks.ts'
import type { StopReason } from '../protocol/turn-event.ts'
import {
  type CallOutcome,
  type CallRequest,
  createPendingCalls,
  type PendingCalls,
  type PendingCallsOptions,
} from './pending-calls.ts'

/** What an agent can do in its turn. Everything here throws once the turn is over. */
export interface Stage {
  /** With `deltas`, the text comes word by word before it comes as a whole. */
  say(text: string, options: { deltas: boolean }): void
  /** Resolves with the outcomes in the order of the requests, when the last of them is settled. */
  call(requests: readonly CallRequest[]): Promise<CallOutcome[]>
  wait(ms: number): Promise<void>
}

/** An agent's part in one turn. What it does before its first wait happens at once. */
export type Script = (stage: Stage) => Promise<StopReason>

export interface Turn {
  readonly calls: PendingCalls
  /** Resolves when the turn is over; never rejects. */
  play(script: Script): Promise<void>
  end(stopReason: StopReason): void
  /** Ends the turn without a word, as when the whole service goes down. */
  drop(): void
}

export function createTurn(options: PendingCallsOptions & { readonly onEnd: () => void }): Turn {
  const { log, clock } = options
  const over = new AbortController()
  const calls = createPendingCalls(options)

  const stage: Stage = {
    say(text, { deltas }) {
      over.signal.throwIfAborted()
      if (text.trim() === '') return
      for (const word of deltas ? (text.match(/\s*\S+\s*/g) ?? []) : []) sayBlocks(word, true)
      sayBlocks(text, false)
    },
    async call(requests) {
      over.signal.throwIfAborted()
      return calls.ask(requests)
    },
    wait: (ms) => clock.sleep(ms, over.signal),
  }

  return { calls, play, end, drop }

  async function play(script: Script): Promise<void> {
    log.append({ type: 'session.status_running' })
    try {
      end(await script(stage))
    } catch (error) {
      end({ type: 'error', message: error instanceof Error ? error.message : String(error) })
    }
  }

  function end(stopReason: StopReason): void {
    if (over.signal.aborted) return
    drop()
    options.onEnd()
    log.append({ type: 'session.status_idle', stop_reason: stopReason })
  }

  function drop(): void {
    over.abort(TURN_IS_OVER)
    calls.abandon(TURN_IS_OVER)
  }

  /** Assumed: `delta` tells a part of a message from the whole of it. */
  function sayBlocks(text: string, delta: boolean): void {
    log.append({ type: 'agent.message', delta, content: textBlocks(text, { truncate: true }) })
  }
}

/** What a script meets that goes on after the end of its turn. Made once: turns are many. */
const TURN_IS_OVER = new Error('the turn is over')
