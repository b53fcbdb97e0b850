import type { RawEvent } from './envelope.ts'
import { mayChange, type Version, versionOf } from './event-version.ts'
import { createRecentTexts } from './recent-texts.ts'

/** The events of a session that may still change, such as a running result, each as it was seen last. */
export interface ChangeableEvents {
  /** Takes a version that was seen. */
  add(event: RawEvent): void
  /** A result has become a final, of which a frame tells that is no version of the event. */
  settle(eventId: string): void
  /** Undefined for an event that will not change, or was not seen. */
  versionOf(eventId: string): Version | undefined
  /** Ids of the events whose results are running. */
  runningResults(): string[]
}

/** `runningResults` were seen before, by somebody who did not keep more of them. */
export function createChangeableEvents(runningResults: readonly string[]): ChangeableEvents {
  const versions = new Map<string, Version>()
  /** A history that lags may list what they were before. */
  const settled = createRecentTexts()
  for (const id of runningResults) versions.set(id, { status: 'running', mayChange: true, digest: undefined })

  return {
    add(event) {
      const { id } = event.envelope
      if (id === undefined) return
      if (mayChange(event) && !settled.has(id)) versions.set(id, versionOf(event))
      else versions.delete(id)
    },
    settle(eventId) {
      settled.add(eventId)
      versions.delete(eventId)
    },
    versionOf: (eventId) => versions.get(eventId),
    runningResults: () => [...versions].flatMap(([id, { status }]) => (status === 'running' ? [id] : [])),
  }
}
