import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'

/**
 * Asks on stderr for one line and shows nothing of what is typed; pasting and editing work as on any line. An empty line
 * is passed over: of what was pasted, the rest would come after the end, and be shown.
 * Throws `interrupted` at Ctrl-C, `usage` at Ctrl-D or the end of the input, and the signal's reason.
 */
export async function askHidden(
  { stdin, stderr, signal }: Pick<Context, 'stdin' | 'stderr' | 'signal'>,
  question: string,
): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 })
  stderr.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.on('line', (line) => {
        if (line.trim() !== '') resolve(line)
      })
      // After Ctrl-Z the library reads no more until it is told to; and it tells of this before it hides what is typed again.
      reader.on('SIGCONT', () => queueMicrotask(() => stderr.write(question, () => reader.resume())))
      reader.once('SIGINT', () => reject(new HermError('interrupted', 'interrupted')))
      reader.once('close', () => reject(new HermError('usage', 'nothing was entered')))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  } finally {
    reader.close()
    stderr.write('\n')
  }
}
