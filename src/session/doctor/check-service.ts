import { type Finding, type Installation, ok, skipped } from './finding.ts'

/** Whether the API answers, and takes the key. */
export async function checkRequest({ settings, probe }: Installation): Promise<Finding> {
  const { ms } = await (await probe()).answered
  const { apiKey } = await settings()
  return ok(`answered in ${ms} ms${apiKey === undefined ? '' : '; the key is good'}`, { ms })
}

/** Whether the events of a session come at once: a proxy that holds answers back makes `watch` and `wait` blind. */
export async function checkStream({ settings, probe, client, signal }: Installation): Promise<Finding> {
  const { page } = await (await probe()).answered
  const sessionId = (await settings()).session?.value ?? page.sessions[0]?.session.id
  if (sessionId === undefined) return skipped('there is no session whose stream could be opened')
  const { headMs, firstByteMs } = await (await client()).probeStream({
    sessionId,
    headLimitMs: HEAD_LIMIT_MS,
    byteLimitMs: BYTE_LIMIT_MS,
    signal,
  })
  const rest =
    firstByteMs === undefined
      ? `nothing more within ${BYTE_LIMIT_MS / 1000} s, as is usual of a quiet session`
      : `the first event or heartbeat after ${firstByteMs} ms`
  return ok(`that of ${sessionId} began after ${headMs} ms; ${rest}`, {
    session_id: sessionId,
    head_ms: headMs,
    first_byte_ms: firstByteMs ?? null,
  })
}

/** A service sends it at once. */
const HEAD_LIMIT_MS = 5_000

/** Long enough for what a service may send first; its heartbeats, if any, are further apart, and not waited for. */
const BYTE_LIMIT_MS = 3_000
