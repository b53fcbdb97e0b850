import { Minimatch } from 'minimatch'
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
  const ofType = types.length === 0 ? () => true : typeMatcher(types)
  return (event) => ofTool(event) && ofType(event.envelope.type)
}

/** Whether any of the globs matches a type. Each type is asked about once: to match takes longer than all else with an event. */
export function typeMatcher(globs: readonly string[]): (type: string) => boolean {
  const matchers = globs.map((glob) => new Minimatch(glob))
  const known = new Map<string, boolean>()
  return (type) => {
    const before = known.get(type)
    if (before !== undefined) return before
    const matches = matchers.some((matcher) => matcher.match(type))
    if (known.size < MAX_KNOWN_TYPES) known.set(type, matches)
    return matches
  }
}

/** Far more than a service has. */
const MAX_KNOWN_TYPES = 1_000

function createToolFilter(tool: string): (event: RawEvent) => boolean {
  const toolUseIds = new Set<string>()
  return ({ envelope }) => {
    const event = toolEvent(envelope)
    if (event === undefined) return false
    if ('name' in event && event.name === tool) toolUseIds.add(event.toolUseId)
    return toolUseIds.has(event.toolUseId)
  }
}
