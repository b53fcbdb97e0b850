import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { temporaryFolder } from './temporary-folder.ts'

/** A key and its certificate, in PEM form. */
export interface Identity {
  readonly key: string
  readonly cert: string
}

/** A certificate authority that nobody knows. */
export interface Authority {
  /** A file with its certificate. */
  readonly file: string
  readonly pem: string
  /** A certificate for one host name, with 127.0.0.1 beside it when the name is localhost. */
  issue(host: string, validity?: { from?: Date; to?: Date }): Promise<Identity>
}

/** Its file is gone when the test that called this is finished. */
export async function authority(): Promise<Authority> {
  const own = await generate([{ name: 'commonName', value: `Test authority ${randomUUID()}` }], {
    ...quick,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  })
  const file = join(temporaryFolder(), 'authority.pem')
  writeFileSync(file, own.cert)
  return {
    file,
    pem: own.cert,
    async issue(host, { from, to } = {}) {
      const { private: key, cert } = await generate([{ name: 'commonName', value: host }], {
        ...quick,
        ...(from && { notBeforeDate: from }),
        ...(to && { notAfterDate: to }),
        ca: { key: own.private, cert: own.cert },
        extensions: [
          { name: 'basicConstraints', cA: false },
          {
            name: 'subjectAltName',
            altNames: [
              { type: 2, value: host },
              ...(host === 'localhost' ? [{ type: 7, ip: '127.0.0.1' } as const] : []),
            ],
          },
        ],
      })
      return { key, cert }
    },
  }
}

/** Elliptic curves take milliseconds, where RSA takes a good part of a second. */
const quick = { keyType: 'ec', algorithm: 'sha256' } as const
