import type { IncomingMessage } from 'node:http'
import { parseNested } from '../protocol/json-text.ts'
import { refusal } from './refusal.ts'
import type { ApiRequest } from './reply.ts'

/**
 * Reads a request's body as text. Throws the refusals `payload_too_large` and `invalid_request`. A body that is too large is
 * still read to its end, and thrown away: a client that is refused in the middle of sending may never see the answer.
 */
export async function readRequestBody(request: IncomingMessage): Promise<string> {
  const bytes = await collect(request)
  try {
    return utf8.decode(bytes)
  } catch {
    throw refusal('invalid_request', 'the body is not UTF-8')
  }
}

/** The body as JSON. Throws the refusal `invalid_request`. */
export function jsonBody({ body }: ApiRequest): unknown {
  try {
    return parseNested(body)
  } catch (error) {
    throw refusal('invalid_request', `the body is not JSON: ${(error as Error).message}`)
  }
}

function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_BODY_BYTES) chunks.push(chunk)
      else chunks.length = 0
    })
    request.on('error', reject)
    request.on('end', () => {
      if (size <= MAX_BODY_BYTES) resolve(Buffer.concat(chunks))
      else reject(refusal('payload_too_large', `the body is larger than ${MAX_BODY_BYTES} bytes`))
    })
  })
}

/** Room for the largest content, 100 blocks of 20,000 characters, with every character escaped as `\uXXXX`. */
const MAX_BODY_BYTES = 16 * 1024 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })
