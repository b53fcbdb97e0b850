import { type ErrorDetails, type ErrorKind, HermError } from '../errors.ts'

export interface RequestErrorDetails extends ErrorDetails {
  readonly passing: boolean
  readonly sent: boolean
  readonly retryAfterMs?: number | undefined
}

/** A request that got no usable answer. */
export class RequestError extends HermError {
  /** The same request may succeed later: a busy service, a dropped connection. What is not passing is final at once. */
  readonly passing: boolean
  /** Bytes of the request may have left this machine. */
  readonly sent: boolean
  /** How long the service asked to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(kind: ErrorKind, message: string, details: RequestErrorDetails) {
    super(kind, message, details)
    this.passing = details.passing
    this.sent = details.sent
    this.retryAfterMs = details.retryAfterMs
  }
}
