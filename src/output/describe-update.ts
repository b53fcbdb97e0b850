import { isDelta } from '../protocol/agent-message.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import { toolEvent } from '../protocol/tool-events.ts'
import type { FollowUpdate } from '../session/follow.ts'
import { describeEvent } from './describe-event.ts'
import { describeConnection } from './describe-session.ts'
import type { RecordOf } from './record-types.ts'
import type { Printable, Reporter } from './reporter.ts'
import { shortened } from './shortened.ts'
import { oneLine } from './visible-text.ts'

/** Prints what is data of an update, and notes the rest; with a tag that says which of several sessions it is of. */
export function reportUpdate(
  reporter: Reporter,
  { update, sessionId, tag }: { update: FollowUpdate; sessionId: string; tag: string },
): void {
  const connection = describeConnection(update, { isBelowEvents: true })
  if (connection !== undefined) {
    if (update.kind === 'begun_anew') reporter.warn(`session ${sessionId}: ${connection}`)
    else reporter.note(`${tag}  ${connection}`)
  }
  const datum = printableOf(update, sessionId)
  if (datum !== undefined) reporter.print(tag === '' ? datum : tagged(datum, tag))
}

/** Whether an event is a line for people: a part of a message is none, the whole comes after it. */
export function isLine({ envelope }: RawEvent): boolean {
  return !isDelta(envelope)
}

function tagged({ json, text }: Printable, tag: string): Printable {
  return {
    json,
    text(style) {
      const line = text(style)
      return line && `${style.dim(tag)}  ${line}`
    },
  }
}

function printableOf(update: FollowUpdate, sessionId: string): Printable | undefined {
  switch (update.kind) {
    case 'event':
      return {
        json: update.event.raw,
        text: (style) => (isLine(update.event) ? describeEvent(update.event, style) : undefined),
      }
    case 'result_updated':
      return {
        json: resultUpdatedRecord(update, sessionId),
        text: (style) =>
          `${describeEvent(update.event, style)} ${style.dim(`(replaces the ${update.previousStatus} result, while away)`)}`,
      }
    case 'other':
      return {
        json: { type: 'herm_tools.frame', session_id: sessionId, name: update.name, data: update.data },
        text: (style) =>
          style.dim(`a frame that is no event: ${oneLine(update.name)} ${shortened(oneLine(update.data), 200)}`),
      }
    case 'reconnected':
      return {
        json: {
          type: 'herm_tools.reconnected',
          session_id: sessionId,
          reason: update.reason,
          down_ms: Math.round(update.downMs),
          after_sequence: update.afterSequence ?? null,
          recovered: update.recovered,
        },
        text: () => undefined,
      }
    default:
      return undefined
  }
}

/** The event stands in it as the service wrote it. */
function resultUpdatedRecord(update: FollowUpdate & { kind: 'result_updated' }, sessionId: string): string {
  const tool = toolEvent(update.event.envelope)
  const record: Omit<RecordOf<'result_updated'>, 'event'> = {
    type: 'herm_tools.result_updated',
    session_id: sessionId,
    event_id: update.event.envelope.id ?? null,
    tool_use_id: tool?.toolUseId ?? null,
    previous_status: update.previousStatus,
    status: tool?.kind === 'result' ? tool.status : null,
  }
  return `${JSON.stringify(record).slice(0, -1)},"event":${update.event.raw}}`
}
