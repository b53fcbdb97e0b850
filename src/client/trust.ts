import { readFileSync } from 'node:fs'
import * as tls from 'node:tls'

/**
 * What TLS connections trust when these PEM certificates count besides the usual ones. Node.js takes a list in the place
 * of its own, and not in addition. `extraFile` is the value of NODE_EXTRA_CA_CERTS.
 */
export function trustBesides(
  certificates: readonly string[],
  { extraFile }: { extraFile: string | undefined },
): tls.SecureContext {
  return tls.createSecureContext({ ca: [...usualCertificates(extraFile), ...certificates] })
}

/** Node.js tells of them from 22.15 on; before that, they are its own ones and those of NODE_EXTRA_CA_CERTS. */
function usualCertificates(extraFile: string | undefined): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] }
  return getCACertificates?.('default') ?? [...tls.rootCertificates, ...extraCertificates(extraFile)]
}

/** A file that cannot be read is passed over, as Node.js does, which has warned of it by now. */
function extraCertificates(file: string | undefined): string[] {
  if (!file) return []
  try {
    return [readFileSync(file, 'latin1')]
  } catch {
    return []
  }
}
