import type { JournalEntry, JournalProblem } from '../store/journal.ts'
import { fieldLines } from './field-lines.ts'
import type { RecordOf } from './record-types.ts'
import type { Printable } from './reporter.ts'
import { tableRows } from './table.ts'
import { oneLine } from './visible-text.ts'

/** How far a call has come, as the journal knows it; `in_doubt` when a result left and its outcome was never learned. */
type JobState = RecordOf<'job'>['state']

function jobState({ intent, final, kickoff }: JournalEntry): JobState {
  if (intent !== undefined) return 'in_doubt'
  if (final !== undefined) return final.status
  return kickoff === undefined ? 'seen' : 'kickoff'
}

export function jobTable(entries: readonly JournalEntry[]): Printable[] {
  const isOfOneService = new Set(entries.map(({ baseUrl }) => baseUrl)).size <= 1
  return tableRows(entries, {
    record: jobRecord,
    columns: [
      { title: 'TOOL USE', cell: ({ toolUseId }) => toolUseId },
      { title: 'SESSION', cell: ({ sessionId }) => sessionId },
      ...(isOfOneService ? [] : [{ title: 'SERVICE', cell: ({ baseUrl }: JournalEntry) => baseUrl }]),
      { title: 'TOOL', cell: ({ toolName }) => toolName, maxWidth: 30 },
      { title: 'STATE', cell: (entry) => inWords(jobState(entry)) },
      { title: 'EVENT', cell: ({ final, kickoff }) => (final ?? kickoff)?.eventId },
      { title: 'UPDATED', cell: ({ updatedAt }) => updatedAt },
    ],
  })
}

export function describeJob(entry: JournalEntry): Printable {
  const { kickoff, intent, final } = entry
  return {
    json: jobRecord(entry),
    text: (style) =>
      fieldLines(
        [
          ['tool use', entry.toolUseId],
          ['session', entry.sessionId],
          ['service', entry.baseUrl],
          ['tool', entry.toolName],
          ['state', inWords(jobState(entry))],
          ['kickoff', kickoff && recorded(kickoff)],
          [
            'in doubt',
            intent && `${intent.status}, attempt ${intent.attempt}, about to be sent at ${intent.writtenAt}`,
          ],
          [
            'final',
            final && `${final.status}, ${recorded(final)}${final.source === 'history' ? ', found in history' : ''}`,
          ],
          ['first seen', entry.firstSeenAt],
          ['updated', entry.updatedAt],
        ],
        style,
      ),
  }
}

export function forgottenRecord({ toolUseId, sessionId, baseUrl }: JournalEntry): Printable {
  return {
    json: { type: 'herm_tools.job_forgotten', tool_use_id: toolUseId, session_id: sessionId, base_url: baseUrl },
    isSentence: true,
    text: () => `${oneLine(toolUseId)} of session ${oneLine(sessionId)} is forgotten`,
  }
}

export function keptAsideRecord({ toolUseId, path }: { toolUseId: string; path: string }): Printable {
  return {
    json: { type: 'herm_tools.job_kept_aside', tool_use_id: toolUseId, path },
    isSentence: true,
    text: () => `the entry of ${oneLine(toolUseId)} is kept aside as ${path}`,
  }
}

export function describeProblem({ place, reason }: JournalProblem): string {
  return oneLine(`${place}: ${reason}`)
}

function jobRecord(entry: JournalEntry): RecordOf<'job'> {
  const { kickoff, intent, final } = entry
  return {
    type: 'herm_tools.job',
    tool_use_id: entry.toolUseId,
    session_id: entry.sessionId,
    base_url: entry.baseUrl,
    tool_name: entry.toolName ?? null,
    state: jobState(entry),
    kickoff: kickoff ? { event_id: kickoff.eventId ?? null, recorded_at: kickoff.recordedAt } : null,
    intent: intent ? { status: intent.status, attempt: intent.attempt, written_at: intent.writtenAt } : null,
    final: final
      ? { status: final.status, event_id: final.eventId ?? null, recorded_at: final.recordedAt, source: final.source }
      : null,
    first_seen_at: entry.firstSeenAt,
    updated_at: entry.updatedAt,
  }
}

function inWords(state: JobState): string {
  return state.replace('_', ' ')
}

function recorded({ eventId, recordedAt }: { eventId?: string | undefined; recordedAt: string }): string {
  return `${eventId ?? 'event id unknown'} at ${recordedAt}`
}
