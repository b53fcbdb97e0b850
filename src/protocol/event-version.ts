import { createHash } from 'node:crypto'
import { isSettled, type RawEvent } from './envelope.ts'
import { isObject } from './json-text.ts'
import { resultDigest } from './result-digest.ts'
import { toolEvent } from './tool-events.ts'
import type { ResultStatus } from './user-events.ts'

/** What tells one version of an event from another: events are compared by status and content, not by id alone. */
export interface Version {
  /** Of a result; undefined for other events. */
  readonly status: ResultStatus | undefined
  /** Whether a later version is to be expected. */
  readonly mayChange: boolean
  /** Undefined when only the status is known. */
  readonly digest: string | undefined
}

/** A final has the id of the running result that it replaced. */
export function versionOf(event: RawEvent): Version {
  const tool = toolEvent(event.envelope)
  const isOpen = mayChange(event)
  if (tool?.kind !== 'result') {
    return { status: undefined, mayChange: isOpen, digest: contentDigest(event.envelope.payload) }
  }
  return { status: tool.status, mayChange: isOpen, digest: resultDigest(tool.status, tool.text) }
}

/** Whether a later version of the event is to be expected. */
export function mayChange({ envelope }: RawEvent): boolean {
  const tool = toolEvent(envelope)
  return tool?.kind === 'result' ? tool.status === 'running' : !isSettled(envelope)
}

export function isSameVersion(known: Version, seen: Version): boolean {
  if (known.status !== seen.status || known.mayChange !== seen.mayChange) return false
  return known.digest === undefined || known.digest === seen.digest
}

/** Whether `seen` is an older version of an event than `known`: no running result follows a final. */
export function isOutdated(seen: Version, known: Version): boolean {
  return seen.mayChange && !known.mayChange
}

/** The same for equal values, however a stream and a listing space them and order their keys. */
function contentDigest(payload: Record<string, unknown>): string {
  const text = JSON.stringify(payload, (_key, value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
  return createHash('sha256').update(text).digest('base64')
}
