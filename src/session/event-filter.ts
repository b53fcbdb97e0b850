import { minimatch } from 'minimatch'
import type { RawEvent } from '../protocol/envelope.ts'
import { toolEvent } from '../protocol/tool-events.ts'

export interface EventFilter {
  /** Globs over the event type, any of which may match; none means all. */
  readonly types: readonly string[]
  /** Only what concerns calls of this tool. */
  readonly tool?: string | undefined
}

/**
 * Whether an event is wanted. Must be asked about every event in order, since a result names its call and only the call
 * names the tool.
 */
export function createEventFilter({ types, tool }: EventFilter): (event: RawEvent) => boolean {
  const ofTool = tool === undefined ? () => true : createToolFilter(tool)
  return (event) => ofTool(event) && (types.length === 0 || types.some((glob) => matchesType(event, glob)))
}

export function matchesType({ envelope }: RawEvent, glob: string): boolean {
  return minimatch(envelope.type, glob)
}

function createToolFilter(tool: string): (event: RawEvent) => boolean {
  const toolUseIds = new Set<string>()
  return ({ envelope }) => {
    const event = toolEvent(envelope)
    if (event === undefined) return false
    if ('name' in event && event.name === tool) toolUseIds.add(event.toolUseId)
    return toolUseIds.has(event.toolUseId)
  }
}
