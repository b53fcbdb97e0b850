/** Causes that mean the same for whoever has to mend them. */
export interface CauseGroup {
  /** In words, by code. */
  readonly codes: Readonly<Record<string, string>>
  /** More codes of the same kind, with words for all of them; without any, the error speaks for itself. */
  readonly others?: RegExp
  readonly otherWords?: string
  readonly passing: boolean
  /** It is about the machine that is connected to first. */
  readonly isFirstHop?: boolean
  readonly advice: string
}

/** Of a cause that is in no group. */
export const unknownCause: Omit<CauseGroup, 'codes'> = {
  passing: false,
  advice: 'Check the network and the base URL; `herm-tools doctor` looks at the way step by step.',
}

/** The first that knows a code counts. */
export const causeGroups: readonly CauseGroup[] = [
  {
    codes: { ENOTFOUND: 'the host name is not known', EAI_AGAIN: 'the host name could not be looked up' },
    passing: true,
    isFirstHop: true,
    advice: 'Check the host name in the base URL, and that this machine can look up names.',
  },
  {
    codes: { ECONNREFUSED: 'the connection was refused' },
    passing: true,
    isFirstHop: true,
    advice: 'Check the host and the port of the base URL, and that the service is running.',
  },
  {
    codes: {
      EHOSTUNREACH: 'there is no route to the host',
      ENETUNREACH: 'the network cannot be reached',
      ENETDOWN: 'the network is down',
    },
    passing: true,
    isFirstHop: true,
    advice: 'Check the network of this machine, and its VPN.',
  },
  {
    codes: {
      ETIMEDOUT: 'no answer in time',
      UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
      UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
      UND_ERR_BODY_TIMEOUT: 'the answer stopped coming',
    },
    passing: true,
    advice: 'Try again; if it stays, a firewall may be in the way, or a proxy be needed, which HTTPS_PROXY names.',
  },
  {
    codes: {
      ECONNRESET: 'the connection was cut',
      EPIPE: 'the connection was cut',
      HPE_INVALID_EOF_STATE: 'the answer was cut off',
      UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut off',
      UND_ERR_SOCKET: 'the connection was cut',
    },
    passing: true,
    advice: 'Try again; if it stays, look for a firewall or a proxy on the way that cuts connections.',
  },
  {
    codes: {
      SELF_SIGNED_CERT_IN_CHAIN: 'the certificate comes from an authority that is not trusted',
      DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself, and not trusted',
      UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate comes from an authority that is not known',
      UNABLE_TO_GET_ISSUER_CERT: 'the certificate comes from an authority that is not known',
      UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate comes from an authority that is not known',
    },
    passing: false,
    advice:
      'If your network or the service has a certificate authority of its own, name the file of its certificate with --ca-file, or in HERM_CA_FILE.',
  },
  {
    codes: { CERT_HAS_EXPIRED: 'the certificate has expired', CERT_NOT_YET_VALID: 'the certificate is not valid yet' },
    passing: false,
    advice: 'Check the clock of this machine; if it is right, whoever runs the service must renew the certificate.',
  },
  {
    codes: { ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate was made for another host' },
    passing: false,
    advice: 'Check the host name in the base URL; something on the way may also answer in the place of the service.',
  },
  {
    codes: {},
    others: /CERT|CRL/,
    otherWords: 'the certificate is not accepted',
    passing: false,
    advice: 'Ask whoever runs the service to look at its certificate.',
  },
  {
    codes: {},
    others: /^(EPROTO|ERR_SSL_|ERR_TLS_)/,
    otherWords: 'no TLS connection could be agreed on',
    passing: false,
    advice: 'Check the base URL: what listens there may speak plain http, or an old TLS.',
  },
  {
    codes: {},
    others: /^(HPE_|HTTPParserError)/,
    otherWords: 'the answer is not HTTP',
    passing: false,
    advice: 'Check the base URL: its port may be wrong, or may take https alone.',
  },
]
