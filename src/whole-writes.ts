import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

/**
 * Makes a stream that writes to a file write all of it. Node.js writes once and does not look at how much of it went, so
 * that on a disk that fills up the rest would be lost without a word. What has no room fails as any write does.
 */
export function writeWhole(stream: Writable & { readonly fd?: number }): void {
  const { fd } = stream
  if (fd === undefined || !fstatSync(fd).isFile()) return
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      for (let from = 0; from < chunk.length; ) from += writeSync(fd, chunk, from)
    } catch (error) {
      return done(error as Error)
    }
    done()
  }
}
