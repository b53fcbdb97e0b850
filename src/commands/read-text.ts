import { addAbortSignal, type Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { fileReason, openUserFile } from '../user-file.ts'

export interface TextSource {
  readonly text?: string | undefined
  /** A path, or `-` for stdin. */
  readonly file?: string | undefined
}

/**
 * The text of a result or a message from `--text` or `--file`. Standard input is read only when `-` asks for it.
 * Throws `usage` for neither or both, for a file that cannot be read as text, and for one far over what the service takes;
 * and the signal's reason.
 */
export async function readText(
  { text, file }: TextSource,
  context: Pick<Context, 'stdin' | 'signal'>,
): Promise<string> {
  if (text !== undefined && file !== undefined) {
    throw new HermError('usage', '--text and --file exclude each other', { hint: 'Give one of them.' })
  }
  if (text !== undefined) return text
  if (file === undefined) {
    throw new HermError('usage', 'the text is missing', {
      hint: 'Give it with --text STRING, --file PATH, or --file - for standard input.',
    })
  }
  if (file === '') throw new HermError('usage', '--file is empty', { hint: 'Give it a path, or - for standard input.' })
  const name = file === '-' ? 'standard input' : file
  try {
    return decode(await readLimited(await openSource(file, context), name), name)
  } catch (cause) {
    context.signal.throwIfAborted()
    if (cause instanceof HermError) throw cause
    throw new HermError('usage', `${name} cannot be read: ${fileReason(cause)}`, {
      hint: file === '-' ? 'Pipe the text in, or give it with --text.' : 'Check the path given to --file.',
      cause,
    })
  }
}

/** Standard input is made when it is first asked for. */
async function openSource(file: string, context: Pick<Context, 'stdin' | 'signal'>): Promise<Readable> {
  return file === '-' ? addAbortSignal(context.signal, context.stdin) : openUserFile(file, context.signal)
}

async function readLimited(stream: AsyncIterable<Buffer | string>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes > MAX_BYTES) {
      throw new HermError(
        'usage',
        `${name} is longer than ${MAX_BYTES / 1024 / 1024} MiB, far more than a message may hold`,
        {
          hint: 'Give a shorter text, or a part of it: head -c 1000000 FILE | herm-tools … --file -',
        },
      )
    }
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new HermError('usage', `${name} is not UTF-8 text`, {
      hint: 'Convert it, for example with iconv -t utf-8, or send a description and a link instead.',
      cause,
    })
  }
}

/** 100 blocks of 20,000 characters of at most 4 bytes are 8 MB; the rest is for what `--truncate` cuts. */
const MAX_BYTES = 64 * 1024 * 1024
