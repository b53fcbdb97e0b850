import { HermError } from '../errors.ts'
import type { Answer, Http } from './http.ts'

/**
 * Throws `failed`, the body destroyed, when an answer is compressed: every request asks for it as it is, and bytes of
 * another encoding must not be read as text.
 */
export function assertNotEncoded(http: Http, { headers, body, subject, status }: Answer): void {
  const encoding = http.redact.text(headers['content-encoding'] ?? '')
  if (/^(identity)?$/i.test(encoding)) return
  body.destroy()
  throw new HermError('failed', `${subject} was answered with ${status} in the encoding ${encoding}, not as it is`, {
    status,
    hint: 'A proxy that compresses answers unasked may stand in between; let it pass those of the Herm API as they are.',
  })
}
