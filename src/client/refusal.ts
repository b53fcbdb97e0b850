import { deadline } from '../clock.ts'
import type { Answer, Http } from './http.ts'
import { assertNotEncoded } from './not-encoded.ts'
import type { RequestError } from './request-error.ts'
import { statusError } from './status-error.ts'

/** The error of an answer that is no success, with its words as far as they come in time. Never throws. */
export async function readRefusal(http: Http, answer: Answer): Promise<RequestError> {
  const body = http.redact.text(await readWhatComes(http, answer))
  return statusError({ ...answer, hasKey: http.hasKey, body, now: http.serviceNow() })
}

/** As much of the body as comes within the limits of size and time: the status says the most. */
async function readWhatComes(http: Http, answer: Answer): Promise<string> {
  const { errorBodyMs, errorBytes } = http.limits
  const reason = () => new Error('the words of the refusal did not come in time')
  const limit = deadline({ clock: http.clock, ms: errorBodyMs, reason })
  limit.signal.addEventListener('abort', () => answer.body.destroy(limit.signal.reason), { once: true })
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    assertNotEncoded(http, answer)
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > errorBytes) break
    }
  } catch {
    // What came before it broke is what there is; of a compressed body, nothing.
  } finally {
    limit.dispose()
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, errorBytes))
}
