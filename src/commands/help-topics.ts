import type { Context } from '../context.ts'
import type { Printable } from '../output/reporter.ts'

/** What `help` knows besides the commands. Each is loaded when it is asked for; `width` in columns. */
export const topics = {
  'exit-codes': async (width) => (await import('../output/exit-codes.ts')).exitCodeTable(width),
  environment: async (width) => (await import('../output/environment-variables.ts')).environmentTable(width),
  output: async (width) => (await import('../output/output-help.ts')).outputHelp(width),
  files: async (width, context) =>
    (await import('../output/files-on-disk.ts')).filesHelp(await context.folders(), width),
  protocol: async (width) => (await import('../output/protocol-help.ts')).protocolHelp(width),
} as const satisfies Record<string, (width: number, context: Pick<Context, 'folders'>) => Promise<Printable[]>>

export type Topic = keyof typeof topics

export const topicNames = Object.keys(topics) as readonly Topic[]

export function isTopic(word: string | undefined): word is Topic {
  return topicNames.some((name) => name === word)
}
