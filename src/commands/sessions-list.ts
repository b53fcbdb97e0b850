import { Command } from 'commander'
import type { Context } from '../context.ts'
import { helpText, serviceExits } from './help-text.ts'
import { integerOption } from './integer-option.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

/** protocol: a page holds 1 to 100 sessions. */
const LARGEST_PAGE = 100

export interface SessionsListInput extends GlobalOptions {
  readonly agent?: string
  readonly user?: string
  readonly status?: string
  readonly limit?: number
  readonly cursor?: string
  readonly all?: boolean
}

export function sessionsListCommand(context: Context, run = runSessionsList): Command {
  return new Command('list')
    .description('list the sessions that the key can see')
    .option('--agent <id>', 'only those of this agent')
    .option('--user <id>', 'only those of this user')
    .option('--status <status>', 'only those in this status, such as idle')
    .option(
      '--limit <count>',
      'sessions on a page, 1 to 100 (default: 20)',
      integerOption({ min: 1, max: LARGEST_PAGE }),
    )
    .option('--cursor <cursor>', 'go on where an earlier page ended')
    .option('--all', 'every page')
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools sessions list --agent agent_01 --status idle',
          'herm-tools sessions list --all --json | jq -r .id',
        ],
        exits: { ...serviceExits, done: 'listed, or there are none' },
        related: ['sessions get', 'sessions create', 'config set session'],
      }),
    )
    .action((_options: unknown, self: Command) => run(context, self.optsWithGlobals<SessionsListInput>()))
}

/** Prints each session as the service wrote it, page by page as they come; for people, each page is a table. */
async function runSessionsList(context: Context, input: SessionsListInput): Promise<void> {
  await inWorkspace(context, input, async (workspace) => {
    const { reporter } = workspace
    const [{ listSessions }, { morePages, sessionTable }] = await Promise.all([
      import('../session/list-sessions.ts'),
      import('../output/describe-sessions.ts'),
    ])
    const { agent: agentId, user: userId, status, cursor, all = false } = input
    const limit = input.limit ?? (all ? LARGEST_PAGE : undefined)
    const client = await workspace.client()
    const pages = listSessions({ client, signal: context.signal }, { agentId, userId, status, limit, cursor, all })
    let count = 0
    let next: string | undefined
    for await (const { sessions, nextCursor } of pages) {
      for (const row of sessionTable(sessions, client.serviceNow())) reporter.print(row)
      await reporter.written(context.signal)
      count += sessions.length
      next = nextCursor
    }
    if (count === 0) reporter.note('no such sessions')
    if (next !== undefined && !all) reporter.note(morePages(next))
  })
}
