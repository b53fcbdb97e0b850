import type { DeliveryNote, DeliveryReport } from '../session/delivery.ts'
import { describeConnection, describeTurn } from './describe-session.ts'
import { durationText } from './duration-text.ts'
import type { Printable, Reporter } from './reporter.ts'
import { blockedTeller } from './tell-blocked.ts'
import { oneLine } from './visible-text.ts'

/** The one record that a result command prints. */
export function deliveryRecord(report: DeliveryReport): Printable {
  const { outcome, key, status, eventId, recordedAt, turnsWaited } = report
  const as = eventId === undefined ? '' : ` as ${oneLine(eventId)}`
  const at = recordedAt === undefined ? '' : `, at ${oneLine(recordedAt)}`
  return {
    json: {
      type: 'herm_tools.result',
      outcome,
      session_id: key.sessionId,
      tool_use_id: key.toolUseId,
      status,
      event_id: eventId ?? null,
      recorded_at: recordedAt ?? null,
      turns_waited: turnsWaited,
    },
    isSentence: true,
    text: (style) =>
      outcome === 'accepted'
        ? `${style.green('accepted')}: ${oneLine(key.toolUseId)} is ${status}${as}`
        : `${style.green('already recorded')}: ${oneLine(key.toolUseId)} is ${status}${as}${at}; nothing was sent`,
  }
}

/** Says on stderr what the delivery of one call's result is doing. */
export function deliveryTeller(reporter: Reporter, toolUseId: string): (note: DeliveryNote) => void {
  const tellBlocked = blockedTeller(reporter)
  return (note) => {
    if (note.kind === 'waiting') tellBlocked(note.state, note.sessionId)
    const said = describeNote(toolUseId, note)
    if (said !== undefined) reporter[said.how](said.text)
  }
}

function describeNote(
  toolUseId: string,
  note: DeliveryNote,
): { how: 'note' | 'warn' | 'waiting'; text: string } | undefined {
  switch (note.kind) {
    case 'call_locked':
      return { how: 'waiting', text: `${toolUseId} is being answered by ${holder(note.owner)}; waiting for it` }
    case 'finals_locked':
      return {
        how: 'waiting',
        text: `${holder(note.owner)} is sending a final to this session; waiting for its outcome`,
      }
    case 'not_seen_yet':
      return { how: 'waiting', text: `${toolUseId} is not in the history yet; looking again` }
    case 'found':
      return {
        how: 'note',
        text: `${toolUseId}: a call of ${oneLine(note.call.name) || 'a tool'}, ${note.call.state.replace('_', ' ')}`,
      }
    case 'waiting':
      return {
        how: 'waiting',
        text: `${describeTurn(note.state.turn)}; waiting for idle, at most ${durationText(note.timeoutMs)}`,
      }
    case 'warning':
      return { how: 'warn', text: note.message }
    case 'sending':
      return {
        how: 'note',
        text: `sending the ${sendNames[note.as]}${note.attempt > 1 ? ` (attempt ${note.attempt})` : ''}`,
      }
    case 'put_off':
      return {
        how: 'note',
        text: `not accepted yet (${oneLine(note.reason)}); looking again in ${seconds(note.pauseMs)}`,
      }
    case 'settling':
      return {
        how: 'waiting',
        text: `${oneLine(note.reason)}; looking in the history for up to ${seconds(note.windowMs)}`,
      }
    case 'not_accepted':
      return { how: 'note', text: `it was not accepted${note.willResend ? '; sending it again' : ''}` }
    case 'connection': {
      const text = describeConnection(note.update)
      return text === undefined ? undefined : { how: 'note', text }
    }
  }
}

const sendNames = { kickoff: 'kickoff', immediate: 'immediate answer', final: 'final' } as const

function holder(owner: { pid: number; label: string } | undefined): string {
  return owner === undefined ? 'another process' : `process ${owner.pid} (${oneLine(owner.label)})`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
