/**
 * What can go wrong, as a table: each kind has one exit code and one line of meaning.
 * `help exit-codes`, the README and every command's exit come from here.
 */
export const errorKinds = {
  failed: { exitCode: 1, meaning: 'failed for a reason with no code of its own' },
  usage: { exitCode: 2, meaning: 'wrong usage or input' },
  conflict: {
    exitCode: 3,
    meaning: 'conflict: a different final, or answer to its approval request, is already recorded for this call',
  },
  auth: { exitCode: 4, meaning: 'no key, or the key was refused (401, 403)' },
  not_found: { exitCode: 5, meaning: "no such session, or the session's history has no such tool call" },
  unknown: {
    exitCode: 6,
    meaning: 'outcome unknown: the result may have been accepted and could not be settled',
  },
  rejected: {
    exitCode: 7,
    meaning: 'rejected by the service, or the call no longer waits for this answer',
  },
  timeout: { exitCode: 8, meaning: 'not in time: the wait ended before what was waited for came' },
  unreachable: { exitCode: 9, meaning: 'service unreachable; nothing was sent' },
  interrupted: { exitCode: 130, meaning: 'interrupted (Ctrl-C)' },
  terminated: { exitCode: 143, meaning: 'terminated (SIGTERM)' },
} as const

export type ErrorKind = keyof typeof errorKinds

export interface ErrorDetails {
  /** What to type or check next, one sentence. */
  readonly hint?: string | undefined
  /** The service's own error code, such as `invalid_state`. */
  readonly serviceCode?: string | undefined
  /** The HTTP status of the answer, where there was one. */
  readonly status?: number | undefined
  readonly cause?: unknown
}

/** The one error that the program raises on purpose; anything else that reaches `main` is a defect and exits 1. */
export class HermError extends Error {
  readonly kind: ErrorKind
  readonly hint: string | undefined
  readonly serviceCode: string | undefined
  readonly status: number | undefined

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'HermError'
    this.kind = kind
    this.hint = details.hint
    this.serviceCode = details.serviceCode
    this.status = details.status
  }

  get exitCode(): number {
    return errorKinds[this.kind].exitCode
  }
}

/** Ctrl-C or SIGTERM: an end that was asked for, and no failure, though what it left open is said. */
export function isEndByUser({ kind }: HermError): boolean {
  return kind === 'interrupted' || kind === 'terminated'
}
