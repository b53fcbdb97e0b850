import { addAbortSignal } from 'node:stream'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'

/**
 * An API key without the white space around it: from a hidden prompt, or from stdin when that was asked for.
 * Throws `usage` when there is nobody to ask, and for no key; and as askHidden does.
 */
export async function readKey(context: Context, { fromStdin }: { fromStdin: boolean }): Promise<string> {
  // What is typed at a terminal is never shown, whatever the flag.
  const isTyped = context.stdin.isTTY && context.stderr.isTTY
  if (!fromStdin && !isTyped) {
    throw new HermError('usage', 'there is no terminal to ask for the key on', {
      hint: 'Give it on standard input: herm-tools auth login --with-key < key.txt',
    })
  }
  const key = (isTyped ? await ask(context) : await readStdin(context)).trim()
  if (key !== '') return key
  throw new HermError('usage', isTyped ? 'no key was entered' : 'standard input held no key')
}

async function ask(context: Context): Promise<string> {
  const { askHidden } = await import('./hidden-prompt.ts')
  return askHidden(context, 'API key (not shown): ')
}

async function readStdin({ stdin, signal }: Context): Promise<string> {
  let text = ''
  try {
    for await (const chunk of addAbortSignal(signal, stdin).setEncoding('utf8')) {
      text += chunk
      if (text.length > LONGEST_KEY_CHARS) throw new HermError('usage', 'standard input holds more than a key')
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
  return text
}

/** What servers commonly take for all headers of a request, and far more than any key. */
const LONGEST_KEY_CHARS = 8192
