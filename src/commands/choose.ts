import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { linkedSignal } from '../linked-signal.ts'

/** One of the things to choose from. */
export interface Choice<T> {
  readonly value: T
  readonly label: string
  /** What is worth knowing of the one that is pointed at. */
  readonly hint?: string | undefined
}

/** Whether there is a person to ask: nothing is asked off a terminal, and none of a script. */
export function mayChoose(
  context: Pick<Context, 'stdin' | 'stderr' | 'env'>,
  { json }: { json?: boolean | undefined },
): boolean {
  const { stderr, env } = context
  if (json || env.CI || env.TERM === 'dumb' || !stderr.isTTY) return false
  // Standard input that was read to its end, as by `--file -`, answers no more.
  return context.stdin.isTTY && context.stdin.readable
}

/** As much of a workspace as asking takes. */
export interface ChooseFrom {
  readonly context: Pick<Context, 'stdin' | 'stderr' | 'signal'>
  readonly hasColour: boolean
}

/**
 * Asks on stderr, without colours where nobody wants them. Throws `interrupted` at Ctrl-C, Ctrl-D and Escape, and the signal's
 * reason. To be asked only when mayChoose.
 */
export async function choose<T>(
  { context: { stdin, stderr, signal }, hasColour }: ChooseFrom,
  { question, choices }: { question: string; choices: readonly Choice<T>[] },
): Promise<T> {
  const [{ select }, { oneLine }] = await Promise.all([import('@clack/prompts'), import('../output/visible-text.ts')])
  // Chosen by its place: the library's options have a shape that depends on the type of their values.
  const options = choices.map(({ label, hint }, value) => {
    return { value, label: oneLine(label), ...(hint !== undefined && { hint: oneLine(hint) }) }
  })
  const output = hasColour ? stderr : withoutColour(stderr)
  const left = linkedSignal(signal)
  // The library would wait for ever for what comes after Ctrl-D, and the program end as if all were done.
  const leave = (_text: unknown, key?: { ctrl?: boolean; name?: string }) => {
    if (key?.ctrl && key.name === 'd') left.abort(new Error('nothing was chosen'))
  }
  stdin.on('keypress', leave)
  // After Ctrl-Z the library reads no more, and nothing would keep the program from ending.
  const readOn = () => void stdin.resume()
  stdin.on('pause', readOn)
  const chosen = await select<number>({
    message: question,
    options,
    input: stdin,
    output,
    signal: left.signal,
  }).finally(() => {
    stdin.off('keypress', leave)
    stdin.off('pause', readOn)
    stdin.pause()
    left.unlink()
  })
  signal.throwIfAborted()
  const choice = typeof chosen === 'number' ? choices[chosen] : undefined
  if (choice === undefined) throw new HermError('interrupted', 'interrupted: nothing was chosen')
  return choice.value
}

/** The library always writes colours, whatever it is told. */
function withoutColour(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = (text: string) => stream.write(text.replace(COLOUR, ''))
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what begins one
const COLOUR = /\x1b\[[\d;]*m/g
