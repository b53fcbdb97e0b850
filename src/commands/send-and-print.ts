import type { DrivingEvent } from '../protocol/user-events.ts'
import type { Workspace } from './workspace.ts'

/** Sends what drives the session of the workspace, and prints that it is accepted. Throws as sendEvent does. */
export async function sendAndPrint(
  { context, reporter, client, session }: Workspace,
  event: DrivingEvent,
): Promise<void> {
  const [{ sendEvent }, { sentRecord }] = await Promise.all([
    import('../session/send-event.ts'),
    import('../output/sent-record.ts'),
  ])
  const sessionId = await session()
  const accepted = await sendEvent({ client: await client(), sessionId, event, signal: context.signal })
  reporter.print(sentRecord({ type: event.type, sessionId, eventId: accepted?.id }))
}
