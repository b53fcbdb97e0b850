import { HermError } from '../errors.ts'
import { excerpt } from '../protocol/json-text.ts'
import type { Answer, Http } from './http.ts'
import { assertNotEncoded } from './not-encoded.ts'

/**
 * Reads the whole body of a 2xx and decodes its text (UTF-8, without a byte order mark).
 * Throws RequestError when the body breaks off, `failed` when it is too long, compressed or a page, and what `decode` throws.
 */
export async function readAnswer<T>(http: Http, answer: Answer, decode: (text: string) => T): Promise<T> {
  assertNotEncoded(http, answer)
  const text = await readText(http, answer)
  assertNoPage(http, answer, text)
  try {
    return decode(text)
  } catch {
    // Decoders quote what they cannot read, and it may hold the key: once more, with the key masked.
    return decode(http.redact.text(text))
  }
}

async function readText(http: Http, answer: Answer): Promise<string> {
  const maxBytes = http.limits.answerBytes
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) break
      chunks.push(chunk)
    }
  } catch (cause) {
    throw http.failure({ request: answer.request, cause, sent: true })
  }
  if (bytes <= maxBytes) return new TextDecoder().decode(Buffer.concat(chunks))
  throw new HermError('failed', `${answer.subject} was answered with more than ${maxBytes} bytes`)
}

/** A page with status 200 comes from a login portal, a proxy or a wrong address, never from the API. */
function assertNoPage(http: Http, answer: Answer, text: string): void {
  if (!/^text\/html\b/i.test(answer.headers['content-type'] ?? '') && !/^\s*<(!doctype|html)\b/i.test(text)) return
  throw new HermError(
    'failed',
    `${answer.subject} was answered with ${answer.status} and an HTML page, not JSON: ${excerpt(http.redact.text(text))}`,
    { status: answer.status, hint: 'Check HERM_BASE_URL; a proxy or a login page may stand in between.' },
  )
}
