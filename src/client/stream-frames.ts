import { createParser } from 'eventsource-parser'
import { HermError } from '../errors.ts'
import { decodeEvent, type RawEvent } from '../protocol/envelope.ts'

export type StreamFrame =
  | { readonly kind: 'event'; readonly event: RawEvent }
  /** Data that is no envelope is passed on. */
  | { readonly kind: 'other'; readonly name: string; readonly data: string }
  /** The `id:` of the frame before it, or of one without data: the value for a later Last-Event-ID, none when it is ''. */
  | { readonly kind: 'id'; readonly id: string }
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
  let isAtLineStart = true
  const parser = createParser({
    maxBufferSize: maxChars,
    onEvent: ({ data: lines, event: name, id }) => {
      // Nothing but the line that was added here: the frame has no data.
      if (lines !== '') frames.push(frameOf(lines.slice(0, -1), name))
      if (id !== undefined) frames.push({ kind: 'id', id })
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

  /** With one more line of data at the end of each frame: the parser does not tell of an id in a frame that has none. */
  function withDataInEach(text: string): string {
    const before = isAtLineStart && text.startsWith('\n') ? 'data\n' : ''
    if (text !== '') isAtLineStart = text.endsWith('\n')
    return before + text.replaceAll('\n\n', '\ndata\n\n')
  }

  return (chunk) => {
    frames = []
    parser.feed(withDataInEach(withPlainLineEnds(decoder.decode(chunk, { stream: true }))))
    return frames
  }
}

function frameOf(data: string, name = 'message'): StreamFrame {
  const event = decodeEvent(data)
  return event === undefined ? { kind: 'other', name, data } : { kind: 'event', event }
}

/** 100 blocks of 20,000 characters, the longest content there is, several times over. */
const MAX_FRAME_CHARS = 16 * 1024 * 1024
