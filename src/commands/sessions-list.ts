import { Command } from 'commander'
import type { Context } from '../context.ts'
import type { RawSession } from '../protocol/session.ts'
import { helpText } from './help-text.ts'
import { integerOption } from './integer-option.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

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
    .option('--limit <count>', 'sessions on a page, 1 to 100 (default: 20)', integerOption({ min: 1, max: 100 }))
    .option('--cursor <cursor>', 'go on where an earlier page ended')
    .option('--all', 'every page')
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools sessions list --agent agent_01 --status idle',
          'herm-tools sessions list --all --json | jq -r .id',
        ],
        exits: { done: 'listed, or there are none', auth: 'no key, or it was refused', unreachable: 'no answer' },
        related: ['sessions get', 'sessions create', 'config set session'],
      }),
    )
    .action((_options: unknown, self: Command) => run(context, self.optsWithGlobals<SessionsListInput>()))
}

/** Prints each session as the service wrote it, page by page as they come; the table is printed at the end. */
async function runSessionsList(context: Context, input: SessionsListInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, client }) => {
    const [{ listSessions }, { morePages, sessionTable }] = await Promise.all([
      import('../session/list-sessions.ts'),
      import('../output/describe-sessions.ts'),
    ])
    const { agent: agentId, user: userId, status, limit, cursor, all = false } = input
    const query = { agentId, userId, status, limit, cursor, all }
    const print = (sessions: readonly RawSession[]) => {
      for (const row of sessionTable(sessions)) reporter.print(row)
    }
    const forTable: RawSession[] = []
    let count = 0
    let next: string | undefined
    for await (const { sessions, nextCursor } of listSessions(
      { client: await client(), signal: context.signal },
      query,
    )) {
      if (reporter.isJson) print(sessions)
      else forTable.push(...sessions)
      count += sessions.length
      next = nextCursor
    }
    print(forTable)
    if (count === 0) reporter.note('no such sessions')
    if (next !== undefined && !all) reporter.note(morePages(next))
  })
}
