import { closeSync, constants, createReadStream, fstatSync, open } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { promisify } from 'node:util'

/**
 * The bytes of a file that the user named, which may be a pipe or a terminal: those are waited for until the signal is
 * aborted. Throws the system's error when it cannot be opened; the stream fails when it cannot be read, or on an abort.
 */
export async function openUserFile(path: string, signal: AbortSignal): Promise<Readable> {
  // To wait for a writer would hold up a thread, and with it the end of the program.
  const descriptor = await promisify(open)(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    return addAbortSignal(signal, await streamOf(descriptor))
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

async function streamOf(descriptor: number): Promise<Readable> {
  const { isatty, ReadStream } = await import('node:tty')
  if (isatty(descriptor)) return new ReadStream(descriptor)
  if (!fstatSync(descriptor).isFIFO()) return createReadStream('', { fd: descriptor })
  const { Socket } = await import('node:net')
  return new Socket({ fd: descriptor, readable: true, writable: false })
}

/** Why a file cannot be read, in words, of the system's error. */
export function fileReason(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return reasons[code] ?? (cause instanceof Error ? cause.message : String(cause))
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
}
