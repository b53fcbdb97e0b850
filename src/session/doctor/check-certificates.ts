import { X509Certificate } from 'node:crypto'
import { readCaFile } from '../../client/ca-file.ts'
import { HermError } from '../../errors.ts'
import { type Finding, type Installation, ok, warning } from './finding.ts'

/** What TLS connections trust. Throws as readCaFile does for the file of a setting, with which no command would work. */
export async function checkCertificates({ settings, env, clock, signal }: Installation): Promise<Finding> {
  const { baseUrl, caFile } = await settings()
  const trusted = ['those of Node.js']
  if (caFile !== undefined) {
    const certificates = await readCaFile(caFile, signal)
    trusted.push(`${certificates.length} of ${caFile.value} (${caFile.origin})`)
    const expired = certificates.filter((pem) => Date.parse(new X509Certificate(pem).validTo) < clock.now())
    if (expired.length > 0) {
      return warning(`${trusted.join(', and ')}, of which ${expired.length} expired`, 'Get a newer file.')
    }
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0' && baseUrl.value.startsWith('https:')) {
    return warning(
      'none is checked, as NODE_TLS_REJECT_UNAUTHORIZED is 0: anybody on the way can read the key',
      'Unset it, and name the certificate authority with --ca-file.',
    )
  }
  const extra = env.NODE_EXTRA_CA_CERTS
  if (extra) {
    try {
      const certificates = await readCaFile({ value: extra, origin: 'NODE_EXTRA_CA_CERTS' }, signal)
      trusted.push(`${certificates.length} of ${extra} (NODE_EXTRA_CA_CERTS)`)
    } catch (error) {
      if (!(error instanceof HermError)) throw error
      return warning(`${error.message}, and is passed over by Node.js`, error.hint ?? '')
    }
  }
  return ok(trusted.join(', and '))
}
