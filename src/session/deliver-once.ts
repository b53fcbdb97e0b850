import { pauseMs } from '../client/backoff.ts'
import { RequestError } from '../client/request-error.ts'
import { HermError } from '../errors.ts'
import type { SessionState } from '../protocol/session-fold.ts'
import type { Lock } from '../store/process-lock.ts'
import { type Decision, decide } from './decide.ts'
import type { Delivery, DeliveryContext, DeliveryReport, SendAs } from './delivery.ts'
import { findCall } from './find-call.ts'
import { recordSeen, recordStanding } from './record.ts'
import { type Sent, sendResult } from './send-result.ts'
import { endWith } from './standing-result.ts'
import type { WaitLimit } from './wait-limit.ts'
import { watchStates } from './watch-states.ts'

/**
 * Subscribes, reads history, and follows the session until the result may be sent and its outcome is known.
 * To be called with the call's lock held, and nothing of it in doubt.
 */
export async function deliverOnce(
  context: DeliveryContext,
  delivery: Delivery,
  { lock, wait }: { lock: Lock; wait: WaitLimit },
): Promise<DeliveryReport> {
  const { clock } = context
  const source = { client: context.client, sessionId: delivery.key.sessionId, clock, signal: wait.signal }
  const states = watchStates({
    ...source,
    random: context.random,
    onUpdate: (update) => {
      wait.told(update)
      context.notify({ kind: 'connection', update })
    },
  })
  let sends = 0
  let absences = 0
  /** Since the session was last seen at work. */
  let putOffs = 0
  let isFound = false
  try {
    let state = await states.next()
    for (;;) {
      wait.seen(state)
      await noteFound(state)
      const decision = decide(state, delivery)
      switch (decision.do) {
        case 'adopt':
          return await adopt(decision)
        case 'refuse':
          throw decision.error
        case 'look_again':
          wait.trouble(`the history does not show ${delivery.key.toolUseId}`)
          context.notify({ kind: 'not_seen_yet' })
          state = await patiently(() => findCall(source, delivery.key.toolUseId))
          break
        case 'wait':
          putOffs = 0
          context.notify({
            kind: 'waiting',
            sessionId: source.sessionId,
            state,
            timeoutMs: delivery.timeoutMs,
          })
          state = await states.next()
          break
        case 'send': {
          const sent = await send(decision, state)
          if (sent.kind === 'accepted') return accepted(sent)
          if (sent.kind === 'standing') return endWith(delivery, sent.final)
          if (sent.kind === 'absent') giveUpAfterAbsence(++absences)
          if (sent.kind === 'put_off') await calmDown(sent, ++putOffs)
          state = sent.kind === 'moved_on' ? sent.state : await patiently(states.refresh)
        }
      }
    }
  } finally {
    await states.close()
  }

  /** The journal learns of the call, and with it of its session, before anything is waited for. */
  async function noteFound(state: SessionState): Promise<void> {
    const call = state.calls.get(delivery.key.toolUseId)
    if (call === undefined || isFound) return
    isFound = true
    context.notify({ kind: 'found', call })
    await recordSeen(context, delivery.key, call.name)
  }

  async function adopt({ result }: Decision & { do: 'adopt' }): Promise<DeliveryReport> {
    const recordedAt = await recordStanding(context, delivery.key, { ...result, source: 'history' })
    const report = endWith(delivery, { ...result, recordedAt })
    // No such result stood there when this run sent its own: it was listed later than it was looked for.
    return absences > 0 ? accepted({ kind: 'accepted', eventId: result.eventId, recordedAt }) : report
  }

  function send({ as, warning }: Decision & { do: 'send' }, state: SessionState): Promise<Sent | MovedOn> {
    if (warning !== undefined) context.notify({ kind: 'warning', message: warning })
    return as === 'final' ? sendFinal(state) : sendOne(as, state, [lock])
  }

  function sendOne(as: SendAs, state: SessionState, locks: readonly Lock[]): Promise<Sent> {
    const known = state.calls.get(delivery.key.toolUseId)?.results ?? []
    return sendResult(context, { delivery, as, attempt: ++sends, locks, known })
  }

  /** Two finals for one session race each other, so one is sent at a time. */
  async function sendFinal(decidedOn: SessionState): Promise<Sent | MovedOn> {
    let hadToWait = false
    const finals = await context.journal.lockFinals(delivery.key, {
      label: `${delivery.status} ${delivery.key.toolUseId}`,
      timeoutMs: wait.leftMs(),
      signal: context.signal,
      onWait: (owner) => {
        hadToWait = true
        context.notify({ kind: 'finals_locked', owner })
      },
    })
    try {
      // Whoever held the lock has started a turn, of which the stream may not have told yet.
      const state = hadToWait ? await patiently(states.refresh) : decidedOn
      if (hadToWait && decide(state, delivery).do !== 'send') return { kind: 'moved_on', state }
      return await sendOne('final', state, [lock, finals])
    } finally {
      await finals.release()
    }
  }

  function accepted({ eventId, recordedAt }: Sent & { kind: 'accepted' }): DeliveryReport {
    const { key, status } = delivery
    return { outcome: 'accepted', key, status, eventId, recordedAt, turnsWaited: states.turnsEnded() }
  }

  /** A reading that fails while the service is away is put off like a result; what was read before does not count any more. */
  async function patiently(read: () => Promise<SessionState>): Promise<SessionState> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read()
      } catch (error) {
        await calmDown(putOffBy(error), attempt)
      }
    }
  }

  /** A session that was found running when the result came calls for calm, and is no failure; nor is a service that is away. */
  async function calmDown({ reason, floorMs }: PutOff, attempt: number): Promise<void> {
    const pause = pauseMs({ attempt, random: context.random, floorMs })
    wait.trouble(reason)
    context.notify({ kind: 'put_off', reason, pauseMs: pause })
    await clock.sleep(pause, wait.signal)
  }

  function giveUpAfterAbsence(absences: number): void {
    const willResend = delivery.resend && absences <= MAX_RESENDS
    context.notify({ kind: 'not_accepted', willResend })
    if (willResend) return
    throw new HermError(
      'unknown',
      `the result for ${delivery.key.toolUseId} was sent ${times(absences)}, and is not in history`,
      {
        hint: delivery.resend
          ? 'The service may be in trouble; run the same command again later.'
          : 'Run the same command again to look once more and then send it again.',
      },
    )
  }
}

type PutOff = Sent & { kind: 'put_off' }

/** Nothing was sent: by the time it could be, the session was no longer ready for it. */
interface MovedOn {
  readonly kind: 'moved_on'
  readonly state: SessionState
}

/** Throws the error when it will not pass. */
function putOffBy(error: unknown): PutOff {
  if (!(error instanceof RequestError) || !error.passing) throw error
  return { kind: 'put_off', reason: error.message, floorMs: error.retryAfterMs }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** How often a result is sent again that was found not to have been accepted. */
const MAX_RESENDS = 3
