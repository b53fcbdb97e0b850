import { StringDecoder } from 'node:string_decoder'
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
  const decode = createDecoder()
  let frames: StreamFrame[] = []
  let endedWithCr = false
  let isAtLineStart = true
  let isMarked = false
  const parser = createParser({
    maxBufferSize: maxChars,
    onEvent: ({ data: lines, event: name, id }) => {
      const data = isMarked ? lines.slice(0, -1) : lines
      // Nothing but the line that was added here: the frame has no data.
      if (!isMarked || lines !== '') frames.push(frameOf(data, name))
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

  /**
   * The parser does not tell of an id in a frame without data. So where there may be one, each frame is given one more line
   * of data at its end, which takes the parser longer. There may be one in the frame that a chunk ends first, of which an
   * earlier chunk may have had the beginning, and wherever a line with an id is not followed by one with data.
   */
  function feed(text: string): void {
    const end = firstEnd(text)
    const rest = text.slice(end)
    feedMarked(text.slice(0, end))
    if (ID_WITHOUT_DATA.test(text.slice(end - 1))) feedMarked(rest)
    else parser.feed(rest)
    if (text !== '') isAtLineStart = text.endsWith('\n')
  }

  /** Behind the first empty line, which ends a frame; the length of the text when there is none. */
  function firstEnd(text: string): number {
    if (isAtLineStart && text.startsWith('\n')) return 1
    const at = text.indexOf('\n\n')
    return at === -1 ? text.length : at + 2
  }

  function feedMarked(text: string): void {
    const before = isAtLineStart && text.startsWith('\n') ? 'data\n' : ''
    isMarked = true
    parser.feed(before + text.replaceAll('\n\n', '\ndata\n\n'))
    isMarked = false
  }

  return (chunk) => {
    frames = []
    feed(withPlainLineEnds(decode(chunk)))
    return frames
  }
}

/**
 * The text of a connection's bytes, of which a character may be split over two chunks, without a byte order mark at its
 * beginning. What is ASCII becomes a string of single bytes, where TextDecoder would make one of twice the size.
 */
function createDecoder(): (chunk: Uint8Array) => string {
  const decoder = new StringDecoder('utf8')
  let isBegun = false
  return (chunk) => {
    const text = decoder.write(chunk)
    const isMark = !isBegun && text.startsWith('\ufeff')
    isBegun ||= text !== ''
    return isMark ? text.slice(1) : text
  }
}

/** With the line break before it, which lets it be found fast. */
const ID_WITHOUT_DATA = /\nid(?::[^\n]*)?\n(?!data:)/

function frameOf(data: string, name = 'message'): StreamFrame {
  const event = decodeEvent(data)
  return event === undefined ? { kind: 'other', name, data } : { kind: 'event', event }
}

/** 100 blocks of 20,000 characters, the longest content there is, several times over. */
const MAX_FRAME_CHARS = 16 * 1024 * 1024
