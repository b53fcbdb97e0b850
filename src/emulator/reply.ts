import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { HermError } from '../errors.ts'
import type { HistoryView } from './history-view.ts'

export interface ApiRequest {
  readonly method: string
  /** As sent, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** What the log line of this request shall tell besides; never a key. */
  readonly notes: string[]
  /** How a history is to be listed, when not as it is. */
  readonly view?: HistoryView
}

/** Where the text of a stream goes. */
export interface StreamSink {
  send(text: string | Uint8Array): void
  end(): void
  /** Breaks the connection off (TCP RST). */
  reset(): void
}

interface BodyReply {
  readonly kind: 'body'
  readonly status: number
  /** JSON, unless `headers` says otherwise. */
  readonly body: string
  readonly headers?: OutgoingHttpHeaders
  /** The code of a refusal. */
  readonly code?: string
}

export type Reply =
  | BodyReply
  /** `open` is called when the head has been sent; what it returns is called once the stream has closed. */
  | {
      readonly kind: 'stream'
      readonly headers?: OutgoingHttpHeaders
      readonly open: (sink: StreamSink) => () => void
    }
  /** The head promises all of the body, and the connection is closed after half of it. */
  | (Omit<BodyReply, 'kind'> & { readonly kind: 'truncated' })
  /** The connection is closed without an answer. */
  | { readonly kind: 'cut' }
  /** No answer comes, and the connection stays open. */
  | { readonly kind: 'silence' }

/** From a request to its reply. */
export type Answer = (request: ApiRequest) => Reply | Promise<Reply>

export function jsonReply(status: number, value: unknown, headers: OutgoingHttpHeaders = {}): BodyReply {
  return { kind: 'body', status, body: JSON.stringify(value), headers }
}

/** What a thrown error looks like on the wire: `{error:{code, message}}`. Anything but a refusal is a defect: 500. */
export function errorReply(error: unknown, headers: OutgoingHttpHeaders = {}): BodyReply {
  const { status = 500, serviceCode: code = 'internal_error' } = error instanceof HermError ? error : {}
  const message = error instanceof Error ? error.message : String(error)
  return { ...jsonReply(status, { error: { code, message } }, headers), code }
}
