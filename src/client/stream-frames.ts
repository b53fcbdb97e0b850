import { createParser } from 'eventsource-parser'
import { HermError } from '../errors.ts'
import { decodeEvent, type RawEvent } from '../protocol/envelope.ts'

export type StreamFrame =
  /** `frameId` is the frame's own `id:`, the value for a later Last-Event-ID. */
  | { readonly kind: 'event'; readonly event: RawEvent; readonly frameId: string | undefined }
  /** Data that is no envelope is passed on. */
  | { readonly kind: 'other'; readonly name: string; readonly data: string }
  /** The service asks for this pause, in milliseconds, before the next connection. */
  | { readonly kind: 'retry'; readonly ms: number }

/**
 * Turns the bytes of one connection into frames. The returned function takes the next chunk, however it is cut, and gives
 * the frames that it completes. Throws `failed` when one frame is longer than `maxChars`.
 */
export function createFrameReader(maxChars: number = MAX_FRAME_CHARS): (chunk: Uint8Array) => StreamFrame[] {
  // One decoder for the connection: a character may be split over two chunks. It also takes a byte order mark away.
  const decoder = new TextDecoder()
  let frames: StreamFrame[] = []
  let endedWithCr = false
  const parser = createParser({
    maxBufferSize: maxChars,
    onEvent: ({ data, event: name = 'message', id: frameId }) => {
      const event = decodeEvent(data)
      frames.push(event === undefined ? { kind: 'other', name, data } : { kind: 'event', event, frameId })
    },
    onRetry: (ms) => frames.push({ kind: 'retry', ms }),
    onError: (cause) => {
      // The other errors are fields that the format tells to ignore.
      if (cause.type !== 'max-buffer-size-exceeded') return
      throw new HermError('failed', `the event stream sent a frame longer than ${maxChars} characters`, {
        hint: 'No event is that long; check that HERM_BASE_URL is the address of the Herm API.',
      })
    },
  })

  /** To LF alone: the parser would hold a frame that ends with CR back until more comes, and be slow with CRLF. */
  function withPlainLineEnds(text: string): string {
    const rest = endedWithCr && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') endedWithCr = text.endsWith('\r')
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest
  }

  return (chunk) => {
    frames = []
    parser.feed(withPlainLineEnds(decoder.decode(chunk, { stream: true })))
    return frames
  }
}

/** 100 blocks of 20,000 characters, the longest content there is, several times over. */
const MAX_FRAME_CHARS = 16 * 1024 * 1024
