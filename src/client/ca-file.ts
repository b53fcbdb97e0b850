import { X509Certificate } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { HermError } from '../errors.ts'
import { fileReason, openUserFile } from '../user-file.ts'

/**
 * The certificates of a PEM file, each as its own text; `origin` says what named the file, and is empty for what was just
 * typed. Throws HermError `usage` when it cannot be read, holds no certificate, or one that makes no sense, and the signal's
 * reason. What else is in it, such as comments, is passed over.
 */
export async function readCaFile(
  { value: path, origin }: { value: string; origin: string },
  signal: AbortSignal,
): Promise<string[]> {
  const refuse = (why: string, cause?: unknown) =>
    new HermError('usage', `the CA file ${path}${origin === '' ? '' : ` (${origin})`} ${why}`, {
      hint: 'Name a file of certificates in PEM form: each begins with -----BEGIN CERTIFICATE-----.',
      cause,
    })
  const bytes = await openUserFile(path, signal)
    .then(buffer)
    .catch((cause) => {
      signal.throwIfAborted()
      throw refuse(`cannot be read: ${fileReason(cause)}`, cause)
    })
  const text = bytes.toString('latin1')
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  if (certificates.length === 0) throw refuse(text.trim() === '' ? 'is empty' : 'holds no certificate')
  const broken = certificates.findIndex((certificate) => !isCertificate(certificate))
  if (broken === -1) return certificates
  throw refuse(`holds a certificate that cannot be understood (number ${broken + 1} of ${certificates.length})`)
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}
