/** How long and how much the client takes from the network before it calls an exchange failed. */
export interface HttpLimits {
  /** Milliseconds until a connection stands, TLS and proxy included. */
  readonly connectMs: number
  /** Milliseconds from the request to the first line of the answer. */
  readonly headersMs: number
  /** Milliseconds between two pieces of an answer's body. */
  readonly bodyMs: number
  /** Milliseconds for one attempt as a whole, so that an answer that trickles in ends as well. */
  readonly attemptMs: number
  /** Milliseconds for the words of a refusal: its status is known by then, so they are not worth much waiting. */
  readonly errorBodyMs: number
  /** Bytes of an answer: a page of 100 events of 100 blocks of 20,000 characters does not occur; a tenth of it may. */
  readonly answerBytes: number
  /** Bytes of a refusal, which is a line of JSON, or a proxy's page. */
  readonly errorBytes: number
}

export const defaultLimits: HttpLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  bodyMs: 60_000,
  attemptMs: 300_000,
  errorBodyMs: 5_000,
  answerBytes: 64 * 1024 * 1024,
  errorBytes: 1024 * 1024,
}
