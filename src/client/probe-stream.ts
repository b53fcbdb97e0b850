import type { Readable } from 'node:stream'
import { type Clock, deadline } from '../clock.ts'
import { HermError } from '../errors.ts'
import { openSessionStream } from './event-stream.ts'
import type { Http } from './http.ts'
import { watchQuiet } from './quiet-watch.ts'

/** How a session's stream begins, in milliseconds from the request. */
export interface StreamProbe {
  readonly headMs: number
  /** Undefined when nothing came in time, as is usual of a quiet session. */
  readonly firstByteMs: number | undefined
}

/**
 * Opens the stream, and leaves it after its first byte. Throws as openEventStream does, and `timeout` when its head does
 * not come in time: a service sends that at once, while something that buffers keeps it until more is there.
 */
export async function probeStream(
  http: Http,
  options: { sessionId: string; headLimitMs: number; byteLimitMs: number; signal: AbortSignal },
): Promise<StreamProbe> {
  const { clock } = http
  const startedAt = clock.elapsed()
  const limit = deadline({
    clock,
    ms: options.headLimitMs,
    reason: () => noHead(options.headLimitMs),
    parent: options.signal,
  })
  try {
    const { body } = await openSessionStream(http, { sessionId: options.sessionId, signal: limit.signal })
    limit.lift()
    const headMs = clock.elapsed() - startedAt
    const came = await firstByte(body, { clock, limitMs: options.byteLimitMs })
    return { headMs, firstByteMs: came ? clock.elapsed() - startedAt : undefined }
  } finally {
    limit.dispose()
  }
}

async function firstByte(body: Readable, { clock, limitMs }: { clock: Clock; limitMs: number }): Promise<boolean> {
  const reason = new Error('nothing came')
  const watch = watchQuiet({ body, clock, limitMs, reason })
  watch.waiting()
  try {
    for await (const _chunk of body) return true
    return false
  } catch (error) {
    if (error === reason) return false
    throw error
  } finally {
    watch.stop()
    body.destroy()
  }
}

function noHead(ms: number): HermError {
  return new HermError('timeout', `the stream did not begin within ${ms / 1000} s`, {
    hint: 'A proxy on the way may hold answers back until they are complete; it must pass text/event-stream on at once.',
  })
}
